// Runs first in every document. Notes when the document last changed, whether it is being left, which requests it has
// begun, which tabs it has opened and which shadow roots are closed; changes nothing that a page can rely on.
(() => {
  if (Object.prototype.hasOwnProperty.call(window, "__tasksieve")) return;
  const clock = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  const seen = { changed: clock(), leaving: false, opened: 0, tokens: 0, read: 0, loaded: 0 };
  const pending = new Map();
  const slow = new Set();
  const closedHosts = new WeakSet();
  const touch = () => { seen.changed = clock(); };

  const observer = new MutationObserver(touch);
  const watch = (root) =>
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  watch(document);
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    watch(root);
    if (init && init.mode === "closed") closedHosts.add(this);
    return root;
  };

  addEventListener("beforeunload", () => { seen.leaving = true; }, true);
  addEventListener("pageshow", () => { seen.leaving = false; touch(); }, true);
  addEventListener("DOMContentLoaded", () => { seen.read = clock(); touch(); }, true);
  addEventListener("load", () => { seen.loaded = clock(); });
  addEventListener("scroll", touch, { capture: true, passive: true });

  const elsewhere = (target) => target && !/^_(self|top|parent)$/i.test(target) && !(target in window);
  addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node instanceof Element && node.matches("a[target], area[target]"));
    if (link && elsewhere(link.getAttribute("target"))) later(() => { if (!event.defaultPrevented) seen.opened += 1; }, 0);
  }, true);
  addEventListener("submit", (event) => {
    const target = event.target instanceof Element && event.target.getAttribute("target");
    if (elsewhere(target)) later(() => { if (!event.defaultPrevented) seen.opened += 1; }, 0);
  }, true);
  const open = window.open;
  window.open = function (...args) {
    const opened = open.apply(this, args);
    if (opened) seen.opened += 1;
    return opened;
  };

  const begin = (method, url) => {
    const key = String(method || "GET").toUpperCase() + " " + String(url).split(/[?#]/)[0];
    const token = ++seen.tokens;
    pending.set(token, { key, since: clock() });
    return () => { if (pending.delete(token)) touch(); };
  };
  const fetch = window.fetch;
  if (fetch) {
    window.fetch = function (input, init) {
      const url = input && typeof input === "object" && "url" in input ? input.url : input;
      const end = begin((init && init.method) || (input && input.method), url);
      const answer = fetch.apply(this, arguments);
      answer.then(end, end);
      return answer;
    };
  }
  const xhrOpen = XMLHttpRequest.prototype.open;
  const xhrSend = XMLHttpRequest.prototype.send;
  const asked = new WeakMap();
  XMLHttpRequest.prototype.open = function (method, url) {
    asked.set(this, [method, url]);
    return xhrOpen.apply(this, arguments);
  };
  XMLHttpRequest.prototype.send = function () {
    const end = begin(...(asked.get(this) || ["GET", ""]));
    this.addEventListener("loadend", end);
    try { return xhrSend.apply(this, arguments); } catch (error) { end(); throw error; }
  };

  // A request that has been open for longer than `patience` is a long poll: it and its like are not waited for again.
  const waitsForRequests = (patience) => {
    let waits = false;
    for (const request of pending.values()) {
      if (slow.has(request.key)) continue;
      if (clock() - request.since > patience) slow.add(request.key);
      else waits = true;
    }
    return waits;
  };
  const parts = () => {
    const inner = [];
    for (let i = 0; i < window.frames.length && i < 20; i++) {
      try { if (window.frames[i].__tasksieve) inner.push(window.frames[i].__tasksieve); } catch { /* foreign frame */ }
    }
    return inner;
  };
  const quietFor = () => clock() - seen.changed;
  // A moment (`rest`) after "load", for what its handlers put off; pictures that are late are not waited for.
  const ready = (patience, rest) =>
    (document.readyState === "complete" && clock() - seen.loaded >= rest) || (seen.read > 0 && clock() - seen.read > patience);

  // Resolves to how the document stands: "quiet", "leaving" or, when the cap is over, "busy".
  const settled = (wish) => new Promise((resolve) => {
    const began = clock();
    for (const key of wish.slow) slow.add(key);
    // On a busy machine the page's own scripts may be as late as this one: they get their turn, twice at most, since
    // the timers of a tab in the background are late for ever.
    let turns = wish.quiet ? 2 : 0;
    const look = (due) => {
      const late = clock() - due > 8;
      const again = (wait) => later(look, wait, clock() + wait);
      const sinceStart = wish.fresh ? clock() - began : Infinity;
      if (seen.leaving) return resolve("leaving");
      const still = Math.min(quietFor(), sinceStart, ...parts().map((part) => part.quietFor()));
      const waits = waitsForRequests(wish.patience) || parts().some((part) => part.waits(wish.patience));
      if (still >= wish.quiet && ready(wish.loadPatience, wish.rest) && !waits) return late && turns-- > 0 ? again(4) : resolve("quiet");
      if (clock() - began > wish.cap) return resolve("busy");
      again(Math.max(2, Math.min(wish.quiet - still, 15)));
    };
    addEventListener("load", () => later(look, wish.rest, clock() + wish.rest), { once: true });
    look(quietFor() > 200 ? clock() : 0);
  });

  const origins = { session: 0, local: 0, name: window.top === window ? window.name : "" };
  try { origins.session = sessionStorage.length; origins.local = localStorage.length; } catch { /* opaque origin */ }
  const api = {
    settled, quietFor, waits: waitsForRequests, closedHosts,
    stay: () => { seen.leaving = false; },
    slow: () => [...slow],
    opened: () => { const count = seen.opened; seen.opened = 0; return count; },
    atStart: origins,
  };
  Object.defineProperty(window, "__tasksieve", { value: Object.freeze(api) });
})();
