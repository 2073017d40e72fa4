import fc from 'fast-check';
import type { Probe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import { literal } from '../../../suite/compile/generated.ts';
import type { Abilities } from './accepted.ts';
import { numberSingles } from './numbers.ts';
import { type Single, singleProbe } from './single.ts';
import { edgeLengths, lostAdditions, openContexts, rareContexts, rareIdentifiers, rareStrings } from './strings.ts';

/** A text of a template: a quote inside is doubled. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Claims that must equal something exactly: the template of the right value, the rule, and what is not tried. */
interface Exact {
  readonly claim: string;
  readonly right: string;
  readonly rule: string;
  readonly error?: readonly string[];
  /** The names of additions that may leave the value what it is. */
  readonly except?: RegExp;
  /** Lengths of which a value may share its beginning with the right one. */
  readonly heads?: readonly number[];
}

const exact: readonly Exact[] = [
  { claim: 'iss', right: 'client.client_id', rule: 'REQ-002', heads: [4, 8, 12, 16] },
  { claim: 'client_id', right: 'client.client_id', rule: 'REQ-026', heads: [4, 8, 12, 16] },
  { claim: 'redirect_uri', right: 'client.redirect_uri', rule: 'REQ-030', heads: [8, 12, 16] },
  { claim: 'notification_uri', right: 'client.notification_uri', rule: 'REQ-033', heads: [10, 16, 20, 24] },
  { claim: 'login_hint', right: 'subscriber.sub', rule: 'FLOW-004', heads: [7, 12, 16, 20] },
  { claim: 'response_type', right: "'async_token'", rule: 'REQ-022', except: /blank|space/ },
  {
    claim: 'acr_values',
    right: "'a3'",
    rule: 'REQ-058',
    error: ['invalid_request'],
    except: /blank|space/,
  },
  { claim: 'aud', right: 'target.issuer', rule: 'REQ-007', except: /^(?!a letter$)/, heads: [10, 16] },
];

function nearMisses({ claim, right, rule, error, except, heads = [] }: Exact): readonly Single[] {
  const single = (title: string, template: string): Single => ({
    title: `${claim} ${title} is denied`,
    difference: { claims: { [claim]: `{{ ${template} }}` } },
    rule,
    outcome: 'denied',
    ...(error === undefined ? {} : { error }),
  });
  const added = Object.entries(lostAdditions).filter(([name]) => except?.test(name) !== true);
  return [
    ...added.map(([name, text]) => single(`with ${name} behind it`, `concat(${right}, ${quoted(text)})`)),
    ...added.map(([name, text]) => single(`with ${name} before it`, `concat(${quoted(text)}, ${right})`)),
    ...heads.map((length) =>
      single(`of which the first ${length} characters are right`, `concat(head(${right}, ${length}), letters(12))`),
    ),
  ];
}

/** Changes of a URI that leave it what it is to a resolver, and another text (RFC 3986 §6). */
const uriChanges: readonly (readonly [title: string, template: (right: string) => string])[] = [
  ['with a dot behind its host', (uri) => `with(${uri}, 'host', concat(part(${uri}, 'host'), '.'))`],
  ['with its host in capitals', (uri) => `with(${uri}, 'host', upper(part(${uri}, 'host')))`],
  ['with its scheme in capitals', (uri) => `with(${uri}, 'scheme', upper(part(${uri}, 'scheme')))`],
  ['with a user before its host', (uri) => `with(${uri}, 'user', 'x')`],
  ['with another port', (uri) => `with(${uri}, 'port', '8444')`],
  ['with an escaped letter', (uri) => `escaped(${uri})`],
  ['with its path in capitals', (uri) => `with(${uri}, 'path', concat(part(${uri}, 'path'), '/X'))`],
  ['with a dot segment', (uri) => `with(${uri}, 'path', concat('/.', part(${uri}, 'path')))`],
  ['with two slashes', (uri) => `with(${uri}, 'path', concat('/', part(${uri}, 'path')))`],
  ['with a parent segment', (uri) => `with(${uri}, 'path', concat('/x/..', part(${uri}, 'path')))`],
  ['with a query', (uri) => `with(${uri}, 'query', 'a=b')`],
  ['with an empty query', (uri) => `concat(${uri}, '?')`],
  ['with a fragment', (uri) => `with(${uri}, 'fragment', 'x')`],
  ['with a path parameter', (uri) => `concat(${uri}, ';a=b')`],
];

function uriSingles(): readonly Single[] {
  const first = "first_with(client.redirect_uris, 'https:')";
  return uriChanges.flatMap(([title, template]): readonly Single[] => [
    {
      title: `redirect_uri ${title} is denied`,
      difference: { claims: { redirect_uri: `{{ unlisted(client.redirect_uris, ${template(first)}) }}` } },
      rule: 'REQ-030',
      outcome: 'denied',
    },
    {
      title: `notification_uri ${title} is denied`,
      difference: {
        claims: {
          notification_uri: `{{ unlisted(client.notification_uris, ${template('client.notification_uri')}) }}`,
        },
      },
      rule: 'REQ-033',
      outcome: 'denied',
    },
  ]);
}

/** §5.3: what a bearer credential cannot have. */
const noBearers = ['a b', 'a\n', 'a\r\nX-Evil: 1', 'a\u0000', 'é', 'a"', 'a,b', 'a;b', 'a\tb', '😀', 'a\u200b'];
/** What it can, and is easily read as more. */
const oddBearers = [
  'Bearer',
  'bearer-{{ fresh() }}',
  'Bearer{{ fresh() }}',
  'null',
  '0',
  '-',
  '.',
  '~',
  '+/',
  'a==',
  'A1.b2_c3-d4~e5+f6/g7=',
];

const ofOthers = (): readonly Single[] => [
  ...noBearers.map(
    (text): Single => ({
      title: `A client_notification_token ${JSON.stringify(text)} is denied`,
      difference: { claims: { client_notification_token: text } },
      rule: 'SEC-29',
      outcome: 'denied',
    }),
  ),
  ...oddBearers.map(
    (text): Single => ({
      title: `A client_notification_token ${JSON.stringify(text)} comes back as bearer`,
      difference: { claims: { client_notification_token: text } },
      rule: 'CB-004',
      outcome: 'accepted',
    }),
  ),
  ...rareIdentifiers.map(
    (text): Single => ({
      title: `A correlation_id ${JSON.stringify(text)} is accepted and echoed`,
      difference: { claims: { correlation_id: text } },
      rule: 'REQ-082',
      outcome: 'accepted',
    }),
  ),
  ...rareContexts.map(
    (text): Single => ({
      title: `A context ${JSON.stringify(text)} is shown and signed as it was sent`,
      difference: { claims: { context: text } },
      rule: 'REQ-073',
      outcome: 'accepted',
    }),
  ),
  ...openContexts.map(
    (text): Single => ({
      title: `A context ${JSON.stringify(text)} is signed as it is shown, or refused`,
      difference: { claims: { context: literal(text) } },
      rule: 'TRN-015',
      outcome: 'answered',
      shown: true,
    }),
  ),
];

/** A jti that is always the same is new after an hour; then its second use is refused. */
const jtiSingles = (): readonly Single[] =>
  [...rareStrings, ...rareIdentifiers].map(
    (text): Single => ({
      title: `A jti ${JSON.stringify(text.slice(0, 40))} is accepted once`,
      difference: { claims: { jti: literal(text) } },
      rule: 'REQ-014',
      outcome: 'accepted',
      after: '25h',
      again: true,
    }),
  );

/** A value that is accepted, and comes back as it was sent: what it is of, and the rule that says so. */
const returned = [
  { claim: 'state', rule: 'REQ-039' },
  { claim: 'nonce', rule: 'REQ-040' },
] as const;

const isWellFormed = (text: string): boolean => text === Buffer.from(text, 'utf8').toString('utf8');

/** Characters that no interpretation of §2.3 leaves out: a carrier may refuse controls. */
const isPlain = (text: string): boolean => text !== '' && isWellFormed(text) && !/\p{Cc}/u.test(text);

function returnedSingles(texts: readonly string[]): readonly Single[] {
  return texts.flatMap((text) =>
    returned.map(
      ({ claim, rule }): Single => ({
        title: `${claim} comes back as it was sent: ${JSON.stringify(text.slice(0, 40))}`,
        difference: { claims: { [claim]: literal(text) } },
        rule,
        outcome: isPlain(text) ? 'accepted' : 'answered',
      }),
    ),
  );
}

/** Claims and members that nobody knows: they are ignored (§2.3, §9.5). */
function unknownSingles(names: readonly string[]): readonly Single[] {
  const known = new Set(['', ...exact.map(({ claim }) => claim)]);
  return names
    .filter((name) => !known.has(name) && isPlain(name))
    .flatMap((name): readonly Single[] => [
      {
        title: `An unknown claim is ignored: ${JSON.stringify(name.slice(0, 40))}`,
        difference: { append: literal(`${JSON.stringify(name)}:{"acr_values":"a9","aud":"x"}`) },
        rule: 'REQ-087',
        outcome: 'accepted',
      },
      {
        title: `An unknown member beside the request object is ignored: ${JSON.stringify(name.slice(0, 40))}`,
        difference: { beside: { [name]: 'x' } },
        rule: 'REQ-088',
        outcome: 'accepted',
      },
    ]);
}

/** Names that look like known ones. */
const almostKnown = [
  'ISS',
  'Iss',
  'aud ',
  ' exp',
  'client-id',
  'clientId',
  'Scope',
  'request_',
  'Login_Hint',
  'nonce2',
];

const repeated = (text: string, count: number): string => `{{ repeat(${quoted(text)}, ${count}) }}`;

function contextSingles(): readonly Single[] {
  const long = [241, 242, 255, 256, 257, 300, 480, 481, 512, 720, 961, 1024];
  const error = ['invalid_request'];
  return [
    ...[8, 9, 63, 64, 65, 127, 128, 129, 199, 200, 201, 239, 240].map(
      (length): Single => ({
        title: `A context of ${length} letters is accepted`,
        difference: { claims: { context: `{{ letters(${length}) }}` } },
        rule: 'REQ-073',
        outcome: 'accepted',
      }),
    ),
    ...long.flatMap((length) =>
      ['A', 'é', '😀', 'Ａ'].map(
        (letter): Single => ({
          title: `A context of ${length} times ${letter} is denied`,
          difference: { claims: { context: repeated(letter, length) } },
          rule: 'REQ-074',
          outcome: 'denied',
          error,
        }),
      ),
    ),
    ...[1, 2, 3, 5, 7].map(
      (length): Single => ({
        title: `A context of ${length} letters is denied`,
        difference: { claims: { context: `{{ letters(${length}) }}` } },
        rule: 'REQ-075',
        outcome: 'denied',
        error,
      }),
    ),
  ];
}

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
      rule: 'CB-004',
      outcome: 'accepted',
    },
    {
      title: `A jti of ${length} characters is accepted`,
      difference: { claims: { jti: `{{ letters(${Math.max(length, 15)}) }}` } },
      rule: 'REQ-014',
      outcome: 'accepted',
    },
  ]);
}

/** A number that fast-check takes as a seed. */
const seedOf = (seed: string): number => randomOf(seed).below(2 ** 31);

/** Texts of all kinds: of graphemes, of arbitrary UTF-16 units, and of the rare ones put together. */
function drawTexts(seed: string, count: number): readonly string[] {
  const rare = fc.constantFrom(...rareStrings);
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.array(rare, { minLength: 2, maxLength: 3 }).map((texts) => texts.join('-').slice(0, 400)),
  );
  return fc.sample(text, { seed: seedOf(seed), numRuns: count }).filter(isWellFormed);
}

/** Every single value, listed and drawn, in the order of the seed (§2.3). */
export function valueProbes(seed: string, count: number, abilities: Abilities): readonly Probe[] {
  const listed = [
    ...exact.flatMap(nearMisses),
    ...uriSingles(),
    ...ofOthers(),
    ...(abilities.wait ? jtiSingles() : []),
    ...contextSingles(),
    ...lengthSingles(),
    ...numberSingles(),
    ...returnedSingles(rareStrings),
    ...unknownSingles([...rareStrings, ...almostKnown]),
  ];
  const drawn = [...returnedSingles(drawTexts(`${seed} texts`, 60)), ...unknownSingles(drawTexts(`${seed} names`, 20))];
  const all = randomOf(`${seed} values`).shuffled([...listed, ...drawn]);
  return all.slice(0, count).map((single) => singleProbe(single, 'values', abilities));
}
