import { defined } from '../../../lib/optional.ts';
import type { Decision } from './accepted.ts';
import type { Single } from './single.ts';

/** JSON that is no integer, whatever it is read as. */
const noIntegers = ['"300"', 'true', '[]', '[300]', '{}', '""', '"1e3"', '300.5', '" "', '"0x12c"', 'false'];

const seconds = (template: string): string => `{{ ${template} }}`;

const acceptedLives = [
  30, 59, 60, 61, 120, 127, 128, 255, 256, 299, 301, 3599, 3601, 32_767, 32_768, 65_535, 65_536, 86_399, 86_401,
];

const ofLife = (life: number, says: string, decision?: Decision): Single => ({
  title: `An expires_in of ${life} ${says}`,
  difference: { claims: { expires_in: life } },
  // What is required is that some lives are accepted; that all are, up to two days, is recommended (C1).
  rule: 'REQ-096',
  outcome: 'accepted',
  ...defined({ decision }),
});

/** Numbers of seconds that are too few for somebody to decide a few seconds before their end. */
const short = [1, 2, 4, 5];

/** §2.4: what is granted lasts as long as that, and no longer. */
const decidedLives = (): readonly Single[] => [
  ...[...short, ...acceptedLives].map((life) => ofLife(life, 'ends where nobody decides', 'time-out')),
  ...acceptedLives.map((life) => ofLife(life, 'can be used to its end', 'approve late')),
];

const lives = (): readonly Single[] => [
  ...acceptedLives.map((life) => ofLife(life, 'is accepted')),
  ...decidedLives(),
  ...noIntegers.map(
    (text): Single => ({
      title: `An expires_in that is ${text} is denied`,
      difference: { raw: { expires_in: text } },
      rule: 'REQ-018#no-integer',
      outcome: 'denied',
    }),
  ),
  ...['2147483648', '4294967296', '9007199254740993', '1e400', '-2147483649', '-0', '1e2', '300.0'].map(
    (text): Single => ({
      title: `An expires_in of ${text} gets a response`,
      difference: { raw: { expires_in: text } },
      rule: 'TRN-015',
      outcome: 'answered',
    }),
  ),
];

/** Seconds before and after the carrier's time: within the window of five minutes, and outside it, clocks that differ allowed for. */
const within = [0, 1, 5, 29, 30, 59, 60, 61, 90, 119, 120, 121, 150, 179, 180, 181, 239, 240, 241, 270, 290];
const outside = [
  330, 359, 360, 361, 599, 600, 601, 899, 900, 1799, 3599, 3600, 3601, 7200, 43_200, 86_400, 604_800, 31_536_000,
];

type Saying = Pick<Single, 'rule' | 'outcome'>;

const claimAt = (title: string, [claim, template]: readonly [string, string], saying: Saying): Single => ({
  title,
  difference: { claims: { [claim]: seconds(template) } },
  ...saying,
});

const denied = (title: string, difference: Single['difference'], rule: string): Single => ({
  title: `${title} is denied`,
  difference,
  rule,
  outcome: 'denied',
});

/** §2.3 iat, §5.1: at most 5 minutes ago. */
const iats = (): readonly Single[] => [
  ...within.map((age) =>
    claimAt(`An iat of ${age} s ago is accepted`, ['iat', `now - ${age}s`], { rule: 'REQ-009', outcome: 'accepted' }),
  ),
  ...outside.map((age) =>
    claimAt(`An iat of ${age} s ago is denied or dropped`, ['iat', `now - ${age}s`], {
      rule: 'REQ-009',
      outcome: 'denied-or-dropped',
    }),
  ),
  ...['0', '1', '2147483647', '4294967296'].map(
    (text): Single => ({
      title: `An iat of ${text} is denied or dropped`,
      difference: { raw: { iat: text } },
      rule: 'REQ-009',
      outcome: 'denied-or-dropped',
    }),
  ),
  ...noIntegers.map((text) => denied(`An iat that is ${text}`, { raw: { iat: text } }, 'REQ-010')),
];

/** §2.3 exp, §5.1: at most 5 minutes ahead. */
const exps = (): readonly Single[] => [
  ...within
    .filter((ahead) => ahead > 20)
    .map((ahead) =>
      claimAt(`An exp ${ahead} s ahead is accepted`, ['exp', `now + ${ahead}s`], {
        rule: 'REQ-012',
        outcome: 'accepted',
      }),
    ),
  ...[
    ...outside.map((ahead) => `now + ${ahead}s`),
    ...['4m', '10m', '1h', '48h'].map((ahead) => `millis(now + ${ahead})`),
  ].map((moment) =>
    claimAt(`An exp of ${moment} is denied or dropped`, ['exp', moment], {
      rule: 'REQ-012',
      outcome: 'denied-or-dropped',
    }),
  ),
  ...noIntegers.map((text) => denied(`An exp that is ${text}`, { raw: { exp: text } }, 'REQ-013')),
];

export const numberSingles = (): readonly Single[] => [...lives(), ...iats(), ...exps()];
