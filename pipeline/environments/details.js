// One pass over a document: what the accessibility snapshot lacks. Reads only; never returns a password. Answers with
// JSON text, which crosses to the driver in a quarter of the time that an object takes.
(wish) => {
  const BULLETS = "\u2022".repeat(8);
  const watch = window.__tasksieve;
  const limit = wish.nodes;
  const entries = [];
  const forms = [];
  const unreachable = [];
  const frames = [];
  const pieces = [];
  let visited = 0;
  let cut = false;

  const ROLES = {
    BUTTON: "button", TEXTAREA: "textbox", H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading",
    H6: "heading", TD: "cell", TH: "cell", TR: "row", TABLE: "table", LI: "listitem", P: "paragraph", DT: "term",
    DD: "definition", CAPTION: "caption", FIELDSET: "group", DETAILS: "group", SUMMARY: "summary", IMG: "img",
    IFRAME: "iframe", FRAME: "iframe", OPTION: "option", PROGRESS: "progressbar", METER: "meter", DIALOG: "dialog",
    FIGURE: "figure", ARTICLE: "article", LABEL: "label", LEGEND: "legend",
  };
  const GROUPS = {
    columnheader: "cell", rowheader: "cell", gridcell: "cell", searchbox: "textbox", listbox: "select",
    combobox: "select",
  };
  const INPUTS = {
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", button: "button", submit: "button",
    reset: "button", image: "button", hidden: "", file: "button", color: "textbox",
  };
  const KINDS = {
    search: "search", password: "password", email: "email", url: "url", number: "number", date: "date",
    "datetime-local": "datetime", time: "time", color: "color", range: "range", checkbox: "checkbox", radio: "radio",
    file: "file",
  };
  const NO_CONTROLS = new Set(["button", "submit", "reset", "image", "hidden"]);
  const CONTENT_NAMED = new Set([
    "link", "button", "heading", "cell", "listitem", "paragraph", "term", "definition", "caption", "summary", "legend",
    "tab", "menuitem", "option", "treeitem", "label", "figure",
  ]);

  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const attribute = (el, name) => el.getAttribute(name) || "";
  const place = (rect) => [Math.round(rect.x), Math.round(rect.y), Math.round(rect.width), Math.round(rect.height)];
  const absolute = (href) => { try { return new URL(href, document.baseURI).href; } catch { return ""; } };

  const roleOf = (el) => {
    const said = attribute(el, "role").trim().split(/\s+/)[0].toLowerCase();
    if (said && said !== "presentation" && said !== "none") return GROUPS[said] || said;
    const tag = el.tagName;
    if (tag === "A" || tag === "AREA") return el.hasAttribute("href") ? "link" : "";
    if (tag === "INPUT") return el.getAttribute("list") ? "select" : INPUTS[el.type] ?? "textbox";
    if (tag === "SELECT") return "select";
    return ROLES[tag] || (el.isContentEditable && !el.parentElement?.isContentEditable ? "editable" : "");
  };

  const kindOf = (el, role) => {
    const tag = el.tagName;
    if (tag === "TEXTAREA") return "multiline";
    if (tag === "SELECT") return el.multiple ? "multiselect" : "select";
    if (tag === "INPUT") return NO_CONTROLS.has(el.type) ? "" : el.getAttribute("list") ? "combobox" : KINDS[el.type] || "text";
    if (el.isContentEditable && (role === "editable" || role === "textbox")) return "richtext";
    if (role === "select") return "combobox";
    if (role === "checkbox" || role === "switch" || role === "menuitemcheckbox") return "checkbox";
    return role === "radio" ? "radio" : "";
  };

  const formIndex = (form) => {
    if (!form) return null;
    const known = forms.indexOf(form);
    return known >= 0 ? known : forms.push(form) - 1;
  };

  // The words a person reads as the name of a control that declares none: beside it, up to the next control.
  const isControl = (node) => node.nodeType === 1 && node.matches("input:not([type=hidden]), select, textarea, button");
  const nearText = (el, side) => {
    let from = el;
    for (let up = 0; up < 3 && from; up++) {
      const words = [];
      for (let node = from[side]; node; node = node[side]) {
        if (isControl(node) || (node.nodeType === 1 && node.querySelector("input:not([type=hidden]), select, textarea"))) break;
        if (node.nodeType === 3 || (node.nodeType === 1 && node.checkVisibility?.() !== false)) {
          const text = squeeze(node.textContent || "");
          if (text) { words.push(text); break; }
        }
      }
      if (words.length) return words[0].slice(0, 120);
      from = from.parentElement;
      if (!from || /^(FORM|TABLE|TR|TD|TH|FIELDSET|BODY|LI)$/.test(from.tagName)) break;
    }
    return "";
  };
  const wordsOf = (label) => {
    // a label that wraps its control would read on into the control's options or text
    const copy = label.cloneNode(true);
    copy.querySelectorAll("select, textarea, button, output").forEach((inner) => inner.remove());
    return squeeze(copy.textContent || "");
  };
  const labelOf = (el, kind) => {
    const own = [...(el.labels || [])].map(wordsOf).filter(Boolean);
    if (own.length) return own.join(" ").slice(0, 200);
    if (kind === "checkbox" || kind === "radio") return nearText(el, "nextSibling") || nearText(el, "previousSibling");
    return nearText(el, "previousSibling");
  };

  const optionsOf = (el) => {
    const list = el.tagName === "SELECT" ? el.options : el.list ? el.list.options : [];
    return [...list].slice(0, 500).map((option) => ({
      label: squeeze(option.label || option.text || ""), value: option.value,
      selected: Boolean(option.selected), disabled: Boolean(option.disabled || option.parentElement?.disabled),
    }));
  };

  const valueOf = (el, kind) => {
    if (kind === "password") return el.value ? BULLETS : "";
    if (kind === "select") return el.selectedOptions[0] ? squeeze(el.selectedOptions[0].label) : "";
    if (kind === "multiselect") return [...el.selectedOptions].map((option) => squeeze(option.label)).join("\n");
    if (kind === "richtext") return el.innerText;
    if (kind === "checkbox" || kind === "radio") return null;
    if (kind === "combobox" && el.value === undefined) return squeeze(el.innerText || "");
    return el.value ?? null;
  };

  const controlOf = (el, kind) => {
    const choice = kind === "checkbox" || kind === "radio";
    const length = el.maxLength;
    return {
      kind, field: attribute(el, "name"), form: formIndex(el.form ?? el.closest?.("form")), label: labelOf(el, kind),
      options: optionsOf(el), required: Boolean(el.required) || attribute(el, "aria-required") === "true",
      readonly: Boolean(el.readOnly) || attribute(el, "aria-readonly") === "true", minimum: attribute(el, "min"),
      maximum: attribute(el, "max"), pattern: attribute(el, "pattern"),
      max_length: typeof length === "number" && length >= 0 ? length : null, placeholder: attribute(el, "placeholder"),
      submitted_value: choice && el.value !== undefined ? String(el.value) : "",
    };
  };

  const buttonOf = (el) => ({
    kind: el.type === "submit" || el.type === "image" ? "submit" : "button", field: attribute(el, "name"),
    form: formIndex(el.form), submitted_value: attribute(el, "value"),
  });

  const entryOf = (el, role, rect) => {
    const entry = { box: place(rect), role };
    const kind = kindOf(el, role);
    if (kind) {
      entry.control = controlOf(el, kind);
      entry.value = valueOf(el, kind);
      entry.title = attribute(el, "title");
    } else if (el.form && role === "button") {
      entry.control = buttonOf(el);
    }
    if (role === "link") entry.href = absolute(attribute(el, "href"));
    if (attribute(el, "aria-expanded") === "false" || (el.tagName === "SUMMARY" && !el.parentElement?.open)) {
      entry.collapsed = true;
    }
    return entry;
  };

  const contentName = (el, start) => {
    const text = squeeze(pieces.slice(start).join(""));
    if (text) return text.slice(0, 400);
    const spoken = el.querySelector("img[alt]:not([alt='']), [aria-label], svg title");
    return spoken ? squeeze(attribute(spoken, "alt") || attribute(spoken, "aria-label") || spoken.textContent || "") : "";
  };

  const offScreen = (rect, style) =>
    (rect.width > 0 && (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0)) || parseFloat(style.textIndent) < -500;
  const clipped = (rect, style) =>
    rect.width <= 1 && rect.height <= 1 && style.overflow === "hidden" && style.position === "absolute";

  const noteUnreachable = (el, rect) => {
    if (rect.width < 1 || rect.height < 1) return;
    const declared = el.tagName.includes("-") && !el.shadowRoot && !el.childNodes.length;
    const closed = watch?.closedHosts.has(el) || (declared && !customElements.get(el.tagName.toLowerCase()));
    const name = attribute(el, "aria-label") || attribute(el, "id") || el.tagName.toLowerCase();
    if (closed) unreachable.push({ kind: "closed-shadow", name: el.tagName.toLowerCase(), box: place(rect) });
    if (el.tagName === "CANVAS" && rect.width >= 40 && rect.height >= 20 && !el.childElementCount) {
      unreachable.push({ kind: "canvas", name, box: place(rect) });
    }
    if (el.tagName === "IFRAME" || el.tagName === "FRAME") {
      frames.push({ name: attribute(el, "name") || attribute(el, "title") || attribute(el, "id"), source: absolute(attribute(el, "src")), box: place(rect) });
    }
  };

  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "SVG", "svg", "SELECT", "TEXTAREA"]);
  const children = (el) => {
    if (el.tagName === "SLOT") {
      const given = el.assignedNodes();
      return given.length ? given : el.childNodes;
    }
    return el.shadowRoot ? el.shadowRoot.childNodes : el.childNodes;
  };

  // `silent`: text right below is not seen; `buried`: nothing below is, whatever it says of itself.
  const walk = (node, silent, buried, kept) => {
    if (node.nodeType === 3) {
      if (!silent) pieces.push(kept ? node.data : node.data.replace(/\s+/g, " "));
      return;
    }
    if (node.nodeType !== 1 || cut) return;
    if (++visited > limit) { cut = true; return; }
    const style = getComputedStyle(node);
    if (style.display === "none") return;
    const rect = node.getBoundingClientRect();
    const boxless = style.display === "contents";
    const shown = boxless ? !silent : node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const under = buried || clipped(rect, style);
    const hush = under || !shown || offScreen(rect, style);
    const role = roleOf(node);
    const seen = rect.width > 0 && rect.height > 0 && style.visibility === "visible";
    noteUnreachable(node, rect);
    const entry = role && seen ? entryOf(node, role, rect) : null;
    if (entry) entries.push(entry);
    const outline = style.display.startsWith("inline") || boxless;
    if (!outline) pieces.push(style.display === "table-cell" ? "\t" : "\n");
    else if (style.display !== "inline" || node.tagName === "LI") pieces.push(" ");
    if (node.tagName === "BR") pieces.push("\n");
    const start = pieces.length;
    if (!SKIPPED.has(node.tagName)) {
      for (const child of children(node)) walk(child, hush, under, style.whiteSpace.startsWith("pre"));
    }
    if (entry && CONTENT_NAMED.has(role)) entry.text = contentName(node, start);
    if (!outline) pieces.push(style.display === "table-cell" ? "\t" : "\n");
    else if (style.display !== "inline" || node.tagName === "LI") pieces.push(" ");
  };

  const formOf = (form) => {
    const legend = form.querySelector("legend, h1, h2, h3, h4, h5, h6");
    const method = attribute(form, "method").toLowerCase();
    return {
      name: squeeze(attribute(form, "aria-label") || (legend ? legend.textContent : "") || "").slice(0, 200),
      method: method === "post" || method === "dialog" ? method : "get",
      target: absolute(attribute(form, "action")) || location.href,
      token_fields: [...form.querySelectorAll("input[type=hidden][name]")].map((field) => attribute(field, "name")),
    };
  };

  const root = document.body || document.documentElement;
  for (const form of document.forms) formIndex(form);
  if (root) walk(root, false, false, false);
  const text = pieces.join("").split("\n").map(squeeze).filter(Boolean).join("\n");
  let sessionEntries = 0;
  try { sessionEntries = sessionStorage.length; } catch { /* opaque origin */ }
  return JSON.stringify({
    url: location.href, title: document.title, scroll: [scrollX, scrollY], entries, forms: forms.map(formOf),
    unreachable, frames, text: text.slice(0, wish.text), text_cut: text.length > wish.text, cut,
    session_entries: sessionEntries, window_name: window.top === window ? window.name : "",
    slow: watch ? watch.slow() : [], at_start: watch ? watch.atStart : null,
  });
}
