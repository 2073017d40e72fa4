import { array, constantFrom, integer, oneof, sample, string } from 'fast-check';
import { dealt, seedOfRound, type Wanted } from '../../../explore/exploration.ts';
import type { Probe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import { comparedProbes } from './elsewhere-values.ts';
import type { Abilities } from './accepted.ts';
import { contextSingles } from './contexts.ts';
import { exact, nearMisses, uriSingles } from './near-misses.ts';
import { numberSingles } from './numbers.ts';
import { type Single, singleProbe } from './single.ts';
import { outsideSingles, unreachedByNumber } from './outside.ts';
import { edgeLengths, rareStrings } from './strings.ts';
import { almostKnown, isWellFormed, jtiSingles, returnedSingles, textSingles, unknownSingles } from './texts.ts';

/** No length is stated: a longer one may be refused. */
const longestJti = 128;

function lengthSingles(): readonly Single[] {
  return edgeLengths.flatMap((length): readonly Single[] => [
    ...(length <= 128
      ? [
          {
            title: `A correlation_id of ${length} characters is accepted and echoed`,
            difference: { claims: { correlation_id: `{{ letters(${length}) }}` } },
            rule: 'REQ-082',
            outcome: 'accepted' as const,
          },
        ]
      : []),
    {
      title: `A client_notification_token of ${length} characters comes back as bearer`,
      difference: { claims: { client_notification_token: `{{ letters(${length}) }}` } },
      ...(length < 22 ? { rule: 'TRN-015', outcome: 'answered' } : { rule: 'CB-004', outcome: 'accepted' }),
    },
    ...(length <= longestJti
      ? [
          {
            title: `A jti of ${length} characters is accepted`,
            difference: { claims: { jti: `{{ letters(${Math.max(length, 15)}) }}` } },
            rule: 'REQ-014',
            outcome: 'accepted' as const,
          },
        ]
      : []),
  ]);
}

/** A number that fast-check takes as a seed. */
const seedOf = (seed: string): number => randomOf(seed).below(2 ** 31);

/** Any character but a lone surrogate, half of them of the first plane. */
const codePoint = oneof(integer({ min: 0, max: 0xffff }), integer({ min: 0x1_0000, max: 0x10_ffff })).filter(
  (point) => point < 0xd800 || point > 0xdfff,
);

/** Texts of all kinds: of graphemes, of arbitrary UTF-16 units, and of the rare ones put together. */
function drawTexts(seed: string, count: number): readonly string[] {
  const rare = constantFrom(...rareStrings);
  const text = oneof(
    string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 }),
    // As `unit: 'binary'`, which takes more than a second to begin.
    array(codePoint, { minLength: 1, maxLength: 30 }).map((points) => String.fromCodePoint(...points)),
    array(rare, { minLength: 2, maxLength: 3 }).map((texts) => texts.join('-').slice(0, 400)),
  );
  return sample(text, { seed: seedOf(seed), numRuns: count }).filter(isWellFormed);
}

export interface ValuesGround {
  /** Whether the target has an endpoint. */
  readonly serves: (endpoint: string) => boolean;
  readonly abilities: Abilities;
  /** An SP may name users by number, and one has no phone app. */
  readonly byNumber: boolean;
}

/** Every single value, listed and drawn, in the order of the seed (§2.3). */
export function valueProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  count: number,
  { abilities, byNumber, serves }: ValuesGround,
): readonly Probe[] {
  const listed = [
    ...exact.flatMap(nearMisses),
    ...uriSingles(),
    ...textSingles(),
    ...outsideSingles,
    ...(abilities.wait ? jtiSingles() : []),
    ...contextSingles(),
    ...lengthSingles(),
    ...numberSingles(),
    ...returnedSingles(rareStrings),
    ...unknownSingles([...rareStrings, ...almostKnown]),
  ];
  const own = seedOfRound({ seed, round });
  const texts = drawTexts(`${own} texts`, Math.ceil(count / 20));
  const drawn = [...returnedSingles(texts), ...unknownSingles(drawTexts(`${own} names`, Math.ceil(count / 50)))];
  const probesOf = (singles: readonly Single[]): readonly Probe[] =>
    singles.map((single) => singleProbe(single, 'values', abilities));
  return [
    ...probesOf(drawn).slice(0, count / 4),
    ...dealt(
      [...probesOf(listed), ...(serves('usertrait') ? comparedProbes() : []), ...(byNumber ? [unreachedByNumber] : [])],
      { seed: `${seed} values`, round },
      (count * 3) / 4,
    ),
  ];
}
