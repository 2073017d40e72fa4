import { array, constantFrom, integer, oneof, sample, string } from 'fast-check';
import { dealt, seedOfRound, type Wanted, type Probe, wholeProbe } from '../../../explore/exploration.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import { type Json, type JsonObject, memberOf } from '../../../lib/json.ts';
import { literal } from '../../../suite/compile/suite.ts';
import { type Exact, requestMembers } from '../claims.ts';
import type { Abilities } from './abilities.ts';
import { filled, objectOf, textOf, textsOf } from './rows.ts';
import { probesOf, type Single, singleProbe } from './singles.ts';

/** Texts of suites/exploration/values.yaml by name. */
const textsBy = (file: Json | undefined, name: string): readonly (readonly [string, string])[] =>
  Object.entries(objectOf(memberOf(file, name))).map(([title, text]) => [title, textOf(text)]);

/** Text of a template: quotes inside are doubled. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Compatibility forms of letters and digits, which Unicode NFKC makes plain. */
const wide = new Map([
  ['a', 'ａ'],
  ['3', '３'],
  ['k', '\u212a'],
]);

/** Templates of values that are almost right, with their titles. */
function almost(
  { right, except, heads = [] }: Pick<Exact, 'right' | 'except' | 'heads'>,
  file: Json | undefined,
): readonly (readonly [title: string, template: string])[] {
  const isTried = (name: string): boolean => except?.test(name) !== true;
  const added = textsBy(file, 'additions').filter(([name]) => isTried(name));
  return [
    ...added.map(([name, text]) => [`with ${name} behind it`, `concat(${right}, ${quoted(text)})`] as const),
    ...added.map(([name, text]) => [`with ${name} before it`, `concat(${quoted(text)}, ${right})`] as const),
    ...(isTried('capitals') ? [['in capitals', `unlisted(${right}, upper(${right}))`] as const] : []),
    ...[...wide].flatMap(([narrow, full]) =>
      right.startsWith("'") && right.includes(narrow)
        ? [[`with a ${narrow} of full width`, right.replace(narrow, full)] as const]
        : [],
    ),
    ...heads.map((length) => {
      const title = `with only the first ${length} characters right`;
      return [title, `concat(head(${right}, ${length}), letters(12))`] as const;
    }),
  ];
}

const nearMisses = (file: Json | undefined): readonly Single[] =>
  requestMembers.flatMap(({ name, exact }): readonly Single[] => {
    if (exact === undefined) return [];
    const { among, rule, error } = exact;
    return almost(exact, file).map(([title, near]) => {
      const template = among === undefined ? near : `unlisted(${among}, ${near})`;
      // A carrier may refuse a NUL wherever it stands (SEC-11).
      const codes = error === undefined || title.includes('NUL') ? {} : { error };
      const difference = { claims: { [name]: `{{ ${template} }}` } };
      return { title: `${name} ${title} is denied`, difference, rule, outcome: 'denied', ...codes };
    });
  });

/** URIs that must be exactly right: the issuer and the registered ones. */
const uris = [
  { claim: 'aud', right: 'target.issuer', among: 'target.issuer', rule: 'REQ-007#near-miss' },
  {
    claim: 'redirect_uri',
    right: "first_with(client.redirect_uris, 'https:')",
    among: 'client.redirect_uris',
    rule: 'REQ-030',
  },
  {
    claim: 'notification_uri',
    right: 'client.notification_uri',
    among: 'client.notification_uris',
    rule: 'REQ-033',
    spelling: 'REQ-033#spelling',
  },
];

function uriSingles(file: Json | undefined): readonly Single[] {
  const spellings = textsOf(memberOf(file, 'spellings'));
  return uris.flatMap(({ claim, right, among, rule, spelling = rule }) =>
    textsBy(file, 'uris').map(([title, template]): Single => {
      const changed = `{{ unlisted(${among}, ${textOf(filled(template, { uri: right }))}) }}`;
      const said = spellings.includes(title) ? spelling : rule;
      return {
        title: `${claim} ${title} is denied`,
        difference: { claims: { [claim]: changed } },
        rule: said,
        outcome: 'denied',
      };
    }),
  );
}

/** Places for a value that is not signed (§2.1), with the rule that keeps it out. */
const places: readonly (readonly [words: string, make: (values: JsonObject) => JsonObject, rule: string])[] = [
  ['beside the request object', (beside) => ({ beside }), 'TRN-005#outside-wins'],
  [
    'beside the request object with the client_id',
    (values) => ({ beside: { client_id: '{{ client.client_id }}', ...values } }),
    'TRN-005#outside-wins',
  ],
  ['in the URL', (query) => ({ query }), 'TRN-008'],
];

/** A value outside has no effect, whether the request object has its own or none. */
function outsideSingles(): readonly Single[] {
  const optional = requestMembers.flatMap(({ name, outside }) =>
    outside === undefined ? [] : [[name, outside] as const],
  );
  const groups = [...optional.map((one) => [one]), optional];
  return places.flatMap(([words, make, rule]) =>
    groups.flatMap((group) =>
      [true, false].map((isSigned): Single => {
        const what = group.length === 1 ? (group[0]?.[0] ?? '') : 'Everything optional';
        const dropped = group
          .map(([name]) => name)
          .filter((name) => !['prompt', 'options', 'acr_values'].includes(name));
        return {
          title: `${what} ${words} is not used, where the object has ${isSigned ? 'its own' : 'none'}`,
          difference: { ...make(Object.fromEntries(group)), ...(isSigned ? {} : { drop: dropped }) },
          rule,
          outcome: 'answered',
        };
      }),
    ),
  );
}

const isWellFormed = (text: string): boolean => text === Buffer.from(text, 'utf8').toString('utf8');

/** Whether all interpretations of §2.3 allow the text: a carrier may refuse controls. */
const isPlain = (text: string): boolean => text !== '' && isWellFormed(text) && !/\p{Cc}/u.test(text);

/** Values that are accepted and come back as they were sent. */
const returnedSingles = (texts: readonly string[]): readonly Single[] =>
  texts.flatMap((text) =>
    (
      [
        ['state', 'REQ-039'],
        ['nonce', 'REQ-040'],
      ] as const
    ).map(
      ([claim, rule]): Single => ({
        title: `${claim} comes back as it was sent: ${JSON.stringify(text.slice(0, 40))}`,
        difference: { claims: { [claim]: literal(text) } },
        rule,
        outcome: isPlain(text) ? 'accepted' : 'answered',
      }),
    ),
  );

/** Unknown claims and members, which are ignored (§2.3, §9.5). */
function unknownSingles(names: readonly string[]): readonly Single[] {
  const known = new Set(requestMembers.map(({ name }) => name));
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

/** Members of a SIM query that must be exactly right (§2.8): subscriber, SP and trait. */
const compared = [
  { member: 'sub', rule: 'UT-009', right: 'subscriber.sub', heads: [7, 12, 16, 20] },
  { member: 'client_id', rule: 'UT-008', right: 'client.client_id', heads: [4, 8, 12, 16] },
  { member: 'usertrait', rule: 'UT-011', right: "'sim_tenure'", heads: [3, 8] },
] as const;

/** Additions that a lookup may ignore: then the member is right. */
const forgiven = /blank|space|tab|feed|return|accent|byte order|mark|hyphen|NUL|capitals/;

const comparedProbes = (file: Json | undefined): readonly Probe[] =>
  compared.flatMap(({ member, rule, right, heads }) =>
    almost({ right, heads, except: forgiven }, file).map(([title, template]) =>
      wholeProbe({
        kind: 'values',
        title: `A SIM query whose ${member} is the right one ${title} brings no tenure`,
        rules: [rule],
        steps: (prefix) => [
          {
            as: `${prefix}call`,
            usertrait: { members: { [member]: `{{ ${template} }}` } },
            expect: { rule, check: 'tenure-withheld' },
          },
        ],
        // A target may have no such value: steps behind it would go untried.
        alone: template.includes('unlisted('),
        requests: 1,
      }),
    ),
  );

/** Any code point but a surrogate, half of them of the first plane. */
const codePoint = oneof(integer({ min: 0, max: 0xffff }), integer({ min: 0x1_0000, max: 0x10_ffff })).filter(
  (point) => point < 0xd800 || point > 0xdfff,
);

/** Texts of graphemes, of arbitrary code points, and of rare texts put together. */
function drawTexts(seed: string, count: number, rare: readonly string[]): readonly string[] {
  const text = oneof(
    string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 }),
    // Like `unit: 'binary'`, which takes more than a second to begin.
    array(codePoint, { minLength: 1, maxLength: 30 }).map((points) => String.fromCodePoint(...points)),
    array(constantFrom(...rare), { minLength: 2, maxLength: 3 }).map((texts) => texts.join('-').slice(0, 400)),
  );
  return sample(text, { seed: randomOf(seed).below(2 ** 31), numRuns: count }).filter(isWellFormed);
}

/** Texts of about the length of buffers. */
const long = [...[255, 256, 257].map((length) => 'x'.repeat(length)), 'é'.repeat(128), '😀'.repeat(64)];

/** Every single value, listed and drawn, in the order of the seed (§2.3). */
export function valueProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  count: number,
  file: Json | undefined,
  abilities: Abilities,
): readonly Probe[] {
  const rare = [...textsOf(memberOf(file, 'strings')), ...long];
  const own = seedOfRound({ seed, round });
  const singles = (all: readonly Single[]): readonly Probe[] => all.map((one) => singleProbe(one, 'values', abilities));
  const drawn = [
    ...returnedSingles(drawTexts(`${own} texts`, Math.ceil(count / 20), rare)),
    ...unknownSingles(drawTexts(`${own} names`, Math.ceil(count / 50), rare)),
  ];
  const listed = [
    ...singles([
      ...nearMisses(file),
      ...uriSingles(file),
      ...outsideSingles(),
      ...returnedSingles(rare),
      ...unknownSingles([...rare, ...textsOf(memberOf(file, 'names'))]),
    ]),
    ...probesOf(memberOf(file, 'rows'), 'values', abilities),
    ...(abilities.runs('plain-query') ? comparedProbes(file) : []),
  ];
  return [...singles(drawn).slice(0, count / 4), ...dealt(listed, { seed: `${seed} values`, round }, (count * 3) / 4)];
}

/** JSON of wrong types for claims: each gets a response below 500. */
const wrongTypes = ['null', 'true', '0', '1.5', '[]', '{}', '""', '[null]', '{"a":1}', '1e400', '"\\u0000"'];

/** Malformed requests (§2.1, §4.1): refused or answered, and the next request is accepted. */
export function byteProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  count: number,
  file: Json | undefined,
  abilities: Abilities,
): readonly Probe[] {
  const typed = requestMembers.flatMap(({ in: part, name }) =>
    part === 'header'
      ? []
      : wrongTypes.map((text) => {
          const title = `A claim ${name} that is ${text} gets a response below 500`;
          const single = {
            title,
            difference: { raw: { [name]: text } },
            rule: 'TRN-015',
            outcome: 'answered' as const,
          };
          return singleProbe(single, 'bytes', abilities);
        }),
  );
  const listed = [...probesOf(memberOf(file, 'rows'), 'bytes', abilities), ...typed];
  return dealt(listed, { seed: `${seed} bytes`, round }, count);
}
