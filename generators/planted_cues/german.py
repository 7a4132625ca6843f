"""German templates, in natural word order and inflected: `Am Montag ließ Anna den Schlüssel im Garten liegen.`"""

from __future__ import annotations

from hansproof.generators.planted_cues.templates import Forms, Language, only

__all__ = ["GERMAN"]

_ARTICLES = {"m": ("der", "den", "dem", "einen"), "f": ("die", "die", "der", "eine"), "n": ("das", "das", "dem", "ein")}


def _nouns(gender: str, nouns: str) -> tuple[Forms, ...]:
    """Nominative, accusative, dative, and accusative with the indefinite article; no noun here changes its ending."""
    return tuple(tuple(f"{article} {noun}" for article in _ARTICLES[gender]) for noun in nouns.split())


_PEOPLE = only(
    "Anna Paul Lena Jonas Marie Felix Clara Lukas Emma Moritz Greta David Frieda Anton Ida Oskar Helene Karl Johanna "
    "Emil Martha Ludwig Paula Georg Nora Konrad Ella Simon Luise Jakob"
)
_THINGS = (
    _nouns("m", "Schlüssel Koffer Regenschirm Teppich Spiegel Hammer Ring Kalender Schlitten Mantel Kompass Korb")
    + _nouns("f", "Geige Lampe Uhr Kamera Landkarte Vase Trommel Münze Leiter Tasche Schere Kette")
    + _nouns("n", "Fahrrad Fernglas Wörterbuch Messer Gemälde Radio Armband Zelt Notizbuch Tablett Kissen Telefon")
)
_ROLES = _nouns("m", "Gärtner Bäcker Lehrer Apotheker Hausmeister Schreiner Richter Briefträger") + _nouns(
    "f", "Ärztin Nachbarin Köchin Pfarrerin Schneiderin Anwältin Försterin Verkäuferin"
)
_PLACES = only(
    "im_Garten in_der_Küche am_Bahnhof auf_dem_Dachboden im_Keller vor_dem_Rathaus in_der_Bibliothek im_Museum "
    "hinter_der_Kirche auf_dem_Markt im_Treppenhaus in_der_Werkstatt am_Hafen neben_der_Schule im_Wartezimmer"
)
_TIMES = only(
    "gestern am_Montag letzte_Woche vor_zwei_Tagen am_Wochenende kurz_nach_Mittag am_frühen_Morgen in_der_Nacht "
    "vor_dem_Essen im_vergangenen_Jahr heute_früh am_Nachmittag"
)

GERMAN = Language(
    openings=(
        "{Z0} ließ {A0} {X1} {O0} liegen.",
        "{A0} wollte {B0} {Z0} {X1} zeigen, doch {R0} kam dazwischen.",
        "Weil {R0} krank war, musste sich {A0} {Z0} allein um {X1} kümmern.",
        "Kaum hatte {A0} {X1} gefunden, rief {B0} aus dem Nebenzimmer.",
        "{O0} stritten {A0} und {B0} {Z0} darüber, wem {X0} gehört.",
        "Eigentlich hätte {A0} {X1} schon {Z0} zurückgeben sollen.",
        "{A0} behauptet, {X1} {Z0} {O0} gesehen zu haben.",
        "Obwohl {B0} davor gewarnt hatte, nahm {A0} {X1} einfach mit.",
        "{R0} schenkte {A0} {Z0} {X3}, ohne einen Grund zu nennen.",
        "Statt zu arbeiten, betrachtete {A0} {O0} stundenlang {X1}.",
        "{R0} hat {A0} erzählt, dass {X0} seit Jahren niemandem gehört.",
        "{A0} hat {X1} {Z0} {O0} versteckt, und niemand außer {B0} weiß davon.",
    ),
    middles=(
        "Später erzählte {B0}, dass {R0} davon nichts gewusst habe.",
        "{B0} hätte viel lieber {Y3} gehabt.",
        "Wer zuletzt {O0} war, lässt sich nicht mehr sagen.",
        "{R0} zuckte nur mit den Schultern und suchte weiter nach {Y2}.",
        "Zum Glück hatte {B0} noch {Y3} dabei.",
        "Seitdem redet {B0} mit {R2} kein Wort mehr.",
        "Auch {Y0} war plötzlich verschwunden.",
        "Ob {Y0} dabei Schaden nahm, hat bisher niemand geprüft.",
        "Gemeinsam mit {R2} trug {B0} anschließend {Y1} nach Hause.",
        "{B0} lachte darüber, aber {R0} fand das gar nicht komisch.",
        "Trotzdem bestand {R0} darauf, zuerst {Y1} zu bezahlen.",
        "Danach wartete {B0} {O0} vergeblich auf {R1}.",
    ),
    questions=(
        "Hat {A0} {X1} am Ende behalten?",
        "Gehört {X0} jetzt {B0}?",
        "War {R0} an jenem Tag überhaupt {O0}?",
        "Darf sich {B0} {X1} noch einmal ausleihen?",
        "Wusste {A0} von Anfang an Bescheid?",
        "Ist {X0} mehr wert als {Y0}?",
        "Wird {A0} {R1} um Entschuldigung bitten?",
        "Stimmt es, dass {B0} {X1} verloren hat?",
        "Kann man sich auf {R1} verlassen?",
        "Sollte {A0} lieber {Y1} verkaufen?",
        "Ist {X0} immer noch {O0}?",
        "Haben sich {A0} und {B0} inzwischen versöhnt?",
    ),
    fillings={"A": _PEOPLE, "B": _PEOPLE, "X": _THINGS, "Y": _THINGS, "R": _ROLES, "O": _PLACES, "Z": _TIMES},
    space=" ",
)
"""The form of a noun is its case: 0 nominative, 1 accusative, 2 dative, 3 accusative with the indefinite article."""
