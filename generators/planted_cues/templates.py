"""Templates that people wrote, with slots; and thirty English scenes, each in four wordings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hansproof.generators.lexicon.words import words
from hansproof.generators.stream import Stream

__all__ = ["Forms", "Language", "filled", "only", "paraphrased"]

# A slot is a variable and the number of a form: `{X2}` is the thing X in its third form. One variable has one filling
# per item, and two variables of a kind never have the same.

Forms = tuple[str, ...]
"""One word in every form that a slot may ask for."""

_SLOT = re.compile(r"\{([A-Z])(\d)\}")
_STEP = 5  # two templates with one part in common then differ in the other two, for up to three rounds of twelve


@dataclass(frozen=True)
class Language:
    """Twelve openings, twelve middles and twelve questions make 36 templates; no two share more than one part."""

    openings: Sequence[str]
    middles: Sequence[str]
    questions: Sequence[str]
    fillings: Mapping[str, Sequence[Forms]]
    """Variable -> what it may stand for. Variables of one kind share one sequence."""
    space: str
    """What stands between two sentences."""

    def text(self, number: int, stream: Stream) -> str:
        """An item of template `number`, 0 to 35, with words drawn from `stream`."""
        n = len(self.openings)
        shift, opening = divmod(number, n)
        middle, question = (opening + shift) % n, (opening + _STEP * shift) % n
        parts = (self.openings[opening], self.middles[middle], self.questions[question])
        return self.space.join(capitalised(part) for part in filled(parts, self.fillings, stream))


def filled(parts: Sequence[str], fillings: Mapping[str, Sequence[Forms]], stream: Stream) -> list[str]:
    """The parts with every slot filled."""
    chosen: dict[str, Forms] = {}

    def filling(slot: re.Match[str]) -> str:
        variable, form = slot[1], int(slot[2])
        if variable not in chosen:
            draws = stream.child(variable)
            forms = draws.choice(fillings[variable])
            while forms in chosen.values():
                forms = draws.choice(fillings[variable])
            chosen[variable] = forms
        return chosen[variable][form]

    return [_SLOT.sub(filling, part) for part in parts]


def capitalised(text: str) -> str:
    """The text with a capital first letter, where its script has capitals."""
    return text[:1].upper() + text[1:]


def only(words: str) -> tuple[Forms, ...]:
    """Words with a single form, from a text in which blanks separate them and `_` is a blank."""
    return tuple((word.replace("_", " "),) for word in words.split())


# The wordings of a scene change the order of clauses, the verbs and the connectives. They share hardly a function word.

Scene = tuple[str, str, str, str, str, str]
"""Four wordings and two questions."""

SCENES: tuple[Scene, ...] = (
    ("{A0} sold the {X0} to {B0}, although the {R0} wanted it.", "Despite the wishes of the {R0}, the {X0} went from {A0} to {B0} for cash.", "The {R0} had hoped for the {X0}; nevertheless {B0} was the one who bought it from {A0}.", "It was {B0} that {A0} chose as a buyer of the {X0}, even if the {R0} would have loved to own it.", "Did {B0} pay too much?", "Was the price too high for {B0}?"),
    ("{A0} missed the train to {T0} because the {R0} talked so long.", "The {R0} kept chatting, and so the train to {T0} left without {A0}.", "Thanks to an endless conversation with the {R0}, {A0} came too late for the {T0} train.", "When {A0} finally got away from the {R0}, nothing was on the tracks: the train had gone to {T0}.", "Will {A0} travel by bus?", "Is {A0} going to take a bus instead?"),
    ("After the storm {A0} found the {X0} behind the {O0}.", "Behind the {O0} lay the {X0}, as {A0} discovered once the storm was over.", "The storm passed, then {A0} came upon the {X0} at the back of the {O0}.", "No sooner had the storm ended than the {X0} turned up near the {O0}, where {A0} spotted it.", "Does {A0} know its owner?", "Has {A0} any idea who owns it?"),
    ("{A0} promised {B0} a visit to the {O0} if it stayed dry.", "Provided that no rain fell, {B0} could count on {A0} for a trip to the {O0}.", "\"We go to the {O0} unless it rains\", said {A0} to {B0}.", "In dry weather, so ran the promise of {A0}, {B0} would get to see the {O0}.", "Did it rain that day?", "Was the day a wet one?"),
    ("The {R0} repaired the {X0} while {A0} was making tea.", "Tea was brewed by {A0}; meanwhile the {R0} mended the {X0}.", "As {A0} stood at the kettle, the {X0} was put right by the {R0}.", "During the time it took {A0} to prepare some tea, the {R0} got the {X0} working.", "Did the {R0} ask for money?", "Was the {R0} paid for it?"),
    ("{A0} would rather keep the {X0} than lend it to {B0}.", "Lending {B0} the {X0} is less to the taste of {A0} than keeping it.", "{B0} asks in vain: the {X0} stays with {A0}, who prefers not to share.", "Instead of handing the {X0} over to {B0} for a while, {A0} likes to hold on to it.", "Are {A0} and {B0} related?", "Is {B0} a relative of {A0}?"),
    ("Nobody had told {A0} that the {O0} was closed on Mondays.", "On Mondays the {O0} shuts, a fact of which {A0} was unaware.", "{A0} came on a Monday, not knowing that the {O0} does not open then.", "That one cannot enter the {O0} on a Monday was news to {A0}.", "Did {A0} come back on Tuesday?", "Was {A0} there again the next day?"),
    ("{A0} spent so much on the {X0} that the rent could not be paid.", "The rent remained unpaid, for {A0} had bought the {X0} at great cost.", "Having wasted a fortune on the {X0}, {A0} owed the landlord money.", "What should have been the rent of {A0} became the price of the {X0}.", "Must {A0} move out?", "Will {A0} have to leave the flat?"),
    ("Both {A0} and {B0} claim to have invented the {X0}.", "Who invented the {X0}? {A0} says \"I did\", and {B0} says the same.", "If you believe {A0}, the {X0} is not the work of {B0}, who insists otherwise.", "The invention of the {X0} is something for which {A0} as well as {B0} takes credit.", "Is either of them lying?", "Does one of the two lie?"),
    ("Since the {R0} moved in, {A0} has slept badly.", "{A0} used to sleep well; that ended on the arrival of the {R0}.", "Ever worse are the nights of {A0}, now that the {R0} lives next door.", "With the {R0} as a new neighbour, there is little sleep for {A0}.", "Does the {R0} play the drums?", "Is it drums that the {R0} plays?"),
    ("{A0} wrote to {B0} from {T0}, but the letter never arrived.", "A letter that {A0} had posted in {T0} got lost before it could reach {B0}.", "{B0} waited for a letter; {A0} had in fact sent one out of {T0}.", "From {T0} came nothing, though {A0} swore to have written to {B0}.", "Was the address right?", "Had the address been correct?"),
    ("The {X0} was too heavy, so {A0} asked the {R0} for help.", "{A0} could not lift the {X0} alone and turned to the {R0}.", "Help came from the {R0}, whom {A0} had called on account of the weight of the {X0}.", "Because of how much the {X0} weighed, {A0} was forced to fetch the {R0}.", "Did they drop it?", "Was it dropped on the way?"),
    ("Until last year {A0} had worked as the {R0} of {T0}.", "{T0} lost its {R0} last year, when {A0} gave up the post.", "The job of {R0} in {T0} belonged to {A0} for a long time; this is over since last year.", "{A0} was known all over {T0} as the {R0}, yet stopped working some twelve months ago.", "Is there a successor?", "Has anyone taken over?"),
    ("{A0} laughed at the {X0}, which offended {B0}.", "{B0} took it ill that {A0} found the {X0} funny.", "At the sight of the {X0} there was laughter from {A0} and hurt silence from {B0}.", "How could {A0} make fun of the {X0}, {B0} wondered with some bitterness.", "Did {A0} apologise?", "Has {A0} said sorry?"),
    ("Before the guests came, {A0} hid the {X0} under the bed.", "Under the bed is where the {X0} went, as {A0} expected guests.", "{A0} did not want any guest to see the {X0} and pushed it beneath the bed.", "The guests had yet to arrive when the {X0} disappeared below the bed, thanks to {A0}.", "Did a guest find it?", "Was it found by one of the guests?"),
    ("{A0} knows the way to the {O0} better than {B0} does.", "To reach the {O0}, one should follow {A0} and not {B0}.", "{B0} gets lost more easily than {A0} when both go to the {O0}.", "If it is the {O0} you are looking for, ask {A0}; {B0} knows less.", "Do they live close to it?", "Is their home near there?"),
    ("The {R0} refused to sign until {A0} had read every page.", "No signature came from the {R0}, as long as {A0} was not through with all pages.", "First {A0} had to read the whole of it, only then would the {R0} sign.", "\"Read each page\", the {R0} told {A0}, \"or I shall not sign\".", "Was there a mistake in it?", "Did the text contain an error?"),
    ("{A0} painted the {X0} green in spite of what {B0} had said.", "Green is the colour that the {X0} now has: {A0} ignored {B0}.", "{B0} was against it, but {A0} gave the {X0} a coat of green.", "Whatever advice {B0} offered, {A0} took a brush and turned the {X0} green.", "Does {B0} like it now?", "Is {B0} pleased after all?"),
    ("Every summer {A0} goes to {T0} in order to see {B0}.", "To meet {B0}, {A0} travels to {T0} each year when it gets warm.", "{T0} is where {B0} lives and where {A0} can be found all summer.", "No summer passes without {A0} being a guest of {B0} in {T0}.", "Are they old friends?", "Has their friendship lasted long?"),
    ("{A0} had hardly opened the {X0} when the {R0} started to shout.", "A shout from the {R0} followed as soon as {A0} opened the {X0}.", "The {R0} began shouting at the very moment at which the {X0} was opened by {A0}.", "Why did the {R0} shout? Only because {A0} had dared to open the {X0}.", "Was anything inside?", "Did it contain something?"),
    ("Neither {A0} nor {B0} remembers who broke the {X0}.", "The {X0} is broken, and {A0} cannot recall by whom; the same is true of {B0}.", "Ask {A0}, ask {B0}: how the {X0} came to be in pieces is forgotten.", "Somebody broke the {X0}, but the memory of {A0} fails, and that of {B0} too.", "Can it be glued?", "Is it possible to glue it?"),
    ("{A0} left the party early, for the {R0} had insulted {B0}.", "As the {R0} was rude to {B0}, the party ended soon for {A0}.", "It did not take {A0} long to go home after those words of the {R0} about {B0}.", "What the {R0} called {B0} made {A0} leave before anybody else.", "Was {B0} present?", "Had {B0} come along?"),
    ("Unless the {R0} objects, {A0} will inherit the {X0}.", "The {X0} falls to {A0} by law, as long as there is no protest from the {R0}.", "Only the {R0} could prevent {A0} from becoming the heir to the {X0}.", "{A0} stands to get the {X0}; an objection by the {R0} might yet change that.", "Is there a will?", "Did anyone leave a will?"),
    ("{A0} taught {B0} how to use the {X0} within a week.", "In seven days {B0} learned from {A0} what to do with the {X0}.", "A week of lessons with {A0} was enough for {B0} to master the {X0}.", "{B0} can handle the {X0} now; {A0} needed no more than a week to explain it.", "Was {B0} a good pupil?", "Did {B0} learn with ease?"),
    ("The road to {T0} was blocked, so {A0} stayed at the {O0}.", "{A0} had to remain at the {O0}, there being no way through to {T0}.", "Nothing moved on the road to {T0}, which is why {A0} slept near the {O0}.", "Since one could not get to {T0}, the night at the {O0} was the only choice of {A0}.", "Did {A0} have a blanket?", "Was there a blanket for {A0}?"),
    ("{A0} exchanged the {X0} for a ticket to {T0}.", "A ticket to {T0} is what {A0} got in return for the {X0}.", "The {X0} is gone: {A0} swapped it, and now holds a ticket to {T0}.", "By giving away the {X0}, {A0} came into possession of a ticket with which to reach {T0}.", "Was it a fair deal?", "Did both sides gain from it?"),
    ("According to {B0}, {A0} has been seen with the {R0} at the {O0}.", "{B0} reports that at the {O0} {A0} met the {R0}.", "The {R0} and {A0} were together near the {O0}, if what {B0} says is true.", "\"{A0} was at the {O0}\", whispered {B0}, \"and so was the {R0}\".", "Does {B0} tell the truth?", "Can {B0} be believed?"),
    ("{A0} could have won, had the {X0} not failed.", "But for the {X0}, which let {A0} down, the prize was certain.", "The {X0} gave out, and with it went the hope of {A0} to come first.", "Victory was near; then {A0} lost it through a fault of the {X0}.", "Will {A0} try again?", "Is there to be another attempt by {A0}?"),
    ("While {B0} was away, {A0} fed the cats and watered the plants.", "{A0} looked after plants and cats during the absence of {B0}.", "In order that {B0} could travel, {A0} took over both the watering and the feeding.", "The plants got water and the cats food from {A0}, as {B0} had gone on a journey.", "Did one of the cats run off?", "Has any cat escaped?"),
    ("As the {R0} grew older, {A0} carried more and more of the load.", "{A0} did a growing share of the work, because the {R0} was no longer young.", "The older the {R0}, the more there was to do for {A0}.", "With age the {R0} became weak, and it fell to {A0} to bear the burden.", "Is {A0} a child of the {R0}?", "Are they parent and child?"),
)  # fmt: skip
# ruff: noqa: E501


def paraphrased(number: int, stream: Stream) -> str:
    """An item of scene `number`, 0 to 29: one of its eight wordings, with words drawn from `stream`."""
    *wordings, first, second = SCENES[number]
    parts = (stream.child("wording").choice(wordings), stream.child("question").choice((first, second)))
    fillings = {
        variable: [(word,) for kind in kinds for size in ("short", "long") for word in words(kind, size)]
        for variable, kinds in _KINDS.items()
    }
    return " ".join(capitalised(part) for part in filled(parts, fillings, stream.child("words")))


_KINDS = {
    "A": ("men", "women"),
    "B": ("men", "women"),
    "X": ("things",),
    "R": ("roles",),
    "O": ("places",),
    "T": ("towns",),
}
