"""Classing actions by what a person reads, in many languages; icons by where they lead."""

from __future__ import annotations

import pytest
from drawn_pages import control, element, link, page

from pipeline.domain.consequences import (
    consequence_of,
    ends_session,
    signs_out,
    switches_sign_in,
    touches_credentials,
)


@pytest.mark.parametrize(
    "name",
    ["Log out", "Logout", "Sign off", "Abmelden", "Déconnexion", "Cerrar sesión", "Sair", "Esci", "Uitloggen",
     "Logga ut", "Wyloguj", "Выйти", "退出", "ログアウト", "로그아웃"],
)  # fmt: skip
def test_signing_out_is_known_in_many_languages(name: str) -> None:
    assert signs_out(element("button", name))
    assert ends_session("/x", name)


@pytest.mark.parametrize(
    "target", ["/session/end", "/logout?next=/", "/users/sign_out", "/auth/user_logout", "/x.php?do=log-out"]
)
def test_an_icon_without_a_name_is_judged_by_its_target(target: str) -> None:
    assert signs_out(link("", target))
    assert ends_session("Go on", target), "also as the target of a form"


@pytest.mark.parametrize("name", ["Log in", "Blog outline", "Login outside", "Catalog", "Signature", "Sessions"])
def test_other_words_do_not_sign_out(name: str) -> None:
    assert not signs_out(element("button", name))
    assert not ends_session(name)


@pytest.mark.parametrize(
    ("text", "consequence"),
    [
        ("Löschen", "destructive"), ("Endgültig löschen?", "destructive"), ("Supprimer", "destructive"),
        ("Eliminar", "destructive"), ("Elimina", "destructive"), ("Verwijderen", "destructive"),
        ("Удалить", "destructive"), ("删除", "destructive"), ("削除", "destructive"), ("삭제", "destructive"),
        ("Remove selected items", "destructive"), ("/items/delete", "destructive"), ("move_to_trash", "destructive"),
        ("Pay now", "payment"), ("购买", "payment"), ("Jetzt kaufen", "payment"),
        ("Send invitation", "message"), ("发布", "message"), ("Grant permission", "permission"), ("授权", "permission"),
        ("Save changes", "none"), ("Address book", "none"), ("Binder", "none"), ("", "none"),
    ],
)  # fmt: skip
def test_a_label_names_its_consequence(text: str, consequence: str) -> None:
    assert consequence_of(text) == consequence


def test_the_gravest_of_several_texts_counts() -> None:
    assert consequence_of("Delete", "Pay") == "payment"


def test_a_form_with_a_password_is_left_alone() -> None:
    seen = page("/", control("password", "New", "new", 1), control("text", "Name", "name", 0))
    assert touches_credentials(seen, 1)
    assert not touches_credentials(seen, 0)


@pytest.mark.parametrize("label", ["Recovery code", "API key", "Kennwort", "パスワード"])
def test_a_field_that_names_a_secret_is_one(label: str) -> None:
    assert touches_credentials(page("/", control("text", label, "x", 0)), 0)


@pytest.mark.parametrize("name", ["LoginModule: user authentication", "Enable sign-in", "Log in with a card", "登录"])
def test_a_switch_for_signing_in_is_left_alone(name: str) -> None:
    seen = page("/", control("checkbox", "Enabled", "a", 0, [("row", name)]), control("checkbox", "Wide", "b", 1))
    assert switches_sign_in(seen, 0)
    assert not switches_sign_in(seen, 1)


@pytest.mark.parametrize("name", ["Blog index", "Logging", "Design", "Signing key"])
def test_other_switches_may_be_tried(name: str) -> None:
    assert not switches_sign_in(page("/", control("checkbox", name, "a", 0)), 0)


def test_a_name_that_is_typed_switches_nothing() -> None:
    assert not switches_sign_in(page("/", control("text", "Login name", "a", 0)), 0)
