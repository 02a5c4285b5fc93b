"""A check of the Destiny Deck as pydantic models, for a service with FastAPI."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Number = Annotated[float, BeforeValidator(float)]
CardText = Annotated[str, BeforeValidator(str)]


class CheckRequest(BaseModel):
    """The request."""

    model_config = ConfigDict(extra="forbid")

    character: str = Field(max_length=40)
    target: str = Field(max_length=60)


class _Answer(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class Target(_Answer):
    """The target of the check."""

    name: str | None
    threshold: Number
    energy: int | None
    difficulty: str


class Modifier(_Answer):
    """Points from one source."""

    source: str
    points: Number


class Score(_Answer):
    """The score of the hand."""

    hand: list[CardText]
    rank: str
    matched: list[CardText]
    base: Number
    suit_counts: dict[str, int]
    bonuses: dict[str, Number]
    suit: Number
    modifiers: Number
    sources: list[Modifier]
    total: Number


class Check(_Answer):
    """The score compared with the threshold."""

    score: Score
    threshold: Number
    margin: Number
    degree: str


class Reward(_Answer):
    """The reward of the crime."""

    gold: Number
    experience: Number


class CheckReply(_Answer):
    """The reply."""

    target: Target
    check: Check
    reward: Reward | None
    energy_left: int | None
    seed: str | None
    odds: None
