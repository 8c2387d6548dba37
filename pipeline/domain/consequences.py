"""Classing actions by consequence, from what a person reads: labels, dialog text, declared targets.

The word lists cover the languages that applications are met in most; an icon without a name is judged by its target.
"""

from __future__ import annotations

import re

from pipeline.domain.feature import Consequence
from pipeline.domain.observation import Element, Observation

_SIGN_OUT = re.compile(
    r"(?<![^\W_])(log|sign)[\s_-]?(out|off)(?![^\W_])|session/(end|destroy)"
    r"|abmelden|ausloggen|déconnexion|se déconnecter|cerrar sesión|sair\b|esci\b|uitloggen"
    r"|logga ut|log ud\b|wyloguj|çıkış|выйти|выход"
    r"|退出|登出|注销|ログアウト|サインアウト|로그아웃",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(
    r"passwor[dt]|passwort|kennwort|mot de passe|contraseña|senha|пароль|密码|密碼|パスワード|비밀번호"
    r"|two-factor|2fa|api[\s_-]?key|access token|recovery code",
    re.IGNORECASE,
)
_SIGNING_IN = re.compile(
    r"(?<!b)(log|sign)[\s_-]?in(?![degst])|authenticat|anmeldung|connexion|inicio de sesión|登录|登入|ログイン|로그인",
    re.IGNORECASE,
)
_WORDS: tuple[tuple[Consequence, re.Pattern[str]], ...] = (
    (
        "payment",
        re.compile(r"\b(pay|purchase|place order|checkout|buy)\b|bezahlen|kaufen|payer|comprar|支付|付款|购买", re.I),
    ),
    ("message", re.compile(r"\b(send|e-?mail|publish|invite|notify)\b|senden|envoyer|enviar|发送|发布|送信", re.I)),
    ("permission", re.compile(r"\b(permission|grant|revoke|role|privilege)s?\b|berechtigung|权限|授权", re.I)),
    (
        "destructive",
        re.compile(
            r"\b(delete|remove|destroy|erase|purge|discard|drop|trash|bin|clear|uninstall)\b|l(ö|oe)schen|entfernen"
            r"|supprimer|effacer|eliminar|borrar|excluir|elimina\b|rimuovi|verwijder|usuń|удалить|删除|刪除|清空|移除|削除|삭제",
            re.I,
        ),
    ),
)


def signs_out(element: Element) -> bool:
    """Whether activating the element ends the session, by its text or target (an icon has only a target)."""
    return bool(_SIGN_OUT.search(element.name) or _SIGN_OUT.search(element.leads_to))


def signs_in(element: Element) -> bool:
    """Whether a link leads to where people sign in, by its text or target."""
    here = element.role == "link" and element.leads_to.startswith("/")
    return here and bool(_SIGNING_IN.search(element.name) or _SIGNING_IN.search(element.leads_to))


def ends_session(*texts: str) -> bool:
    """Whether a button's name or a form's target speaks of signing out."""
    return any(_SIGN_OUT.search(text) for text in texts)


def touches_credentials(seen: Observation, form: int | None) -> bool:
    """Whether a form holds a password or names a secret among its labels."""
    for element in seen.elements:
        control = element.control
        if control is None or control.form != form:
            continue
        if control.kind == "password" or _CREDENTIAL.search(f"{element.name} {control.label} {control.field}"):
            return True
    return False


def switches_sign_in(seen: Observation, form: int | None) -> bool:
    """Whether a form holds a switch for what signs people in: turned off, every session may be over."""
    for element in seen.elements:
        control = element.control
        if control is None or control.form != form or control.kind not in ("checkbox", "radio"):
            continue
        if any(_SIGNING_IN.search(text) for text in (element.name, control.label, *(p.name for p in element.region))):
            return True
    return False


def consequence_of(*texts: str) -> Consequence:
    """The gravest class that any of the texts names; ``none`` where none does."""
    for consequence, words in _WORDS:
        if any(words.search(text.replace("_", " ").replace("/", " ")) for text in texts):
            return consequence
    return "none"
