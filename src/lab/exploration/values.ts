import { array, constantFrom, integer, oneof, sample, string } from 'fast-check';
import { dealItems, roundSeed, type RoundSettings, type Probe, wholeProbe } from '../explore/exploration.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import { type Json, type JsonObject, readMember } from '../../lib/json.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import { type ExactValue, requestMembers } from '../../interfaces/server-initiated/claims.ts';
import type { TargetAbilities } from './abilities.ts';
import { fillReferences, objectOrNone, rowText, rowTexts } from './rows.ts';
import { readProbes, type SingleRequest, singleProbe } from './singles.ts';

/** Texts of suites/exploration/values.yaml by name. */
const namedTexts = (file: Json | undefined, name: string): readonly (readonly [string, string])[] =>
  Object.entries(objectOrNone(readMember(file, name))).map(([title, text]) => [title, rowText(text)]);

/** Text of a template: quotes inside are doubled. */
const quoteTemplateText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Compatibility forms of letters and digits, which Unicode NFKC makes plain. */
const compatibilityForms = new Map([
  ['a', 'ａ'],
  ['3', '３'],
  ['k', '\u212a'],
]);

/** Templates of values that are almost right, with their titles. */
function nearMissTemplates(
  { right, except, heads = [] }: Pick<ExactValue, 'right' | 'except' | 'heads'>,
  file: Json | undefined,
): readonly (readonly [title: string, template: string])[] {
  const isTried = (name: string): boolean => except?.test(name) !== true;
  const added = namedTexts(file, 'additions').filter(([name]) => isTried(name));
  return [
    ...added.map(([name, text]) => [`with ${name} behind it`, `concat(${right}, ${quoteTemplateText(text)})`] as const),
    ...added.map(([name, text]) => [`with ${name} before it`, `concat(${quoteTemplateText(text)}, ${right})`] as const),
    ...(isTried('capitals') ? [['in capitals', `unlisted(${right}, upper(${right}))`] as const] : []),
    ...[...compatibilityForms].flatMap(([narrow, full]) =>
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

const nearMissSingles = (file: Json | undefined): readonly SingleRequest[] =>
  requestMembers.flatMap(({ name, exact }): readonly SingleRequest[] => {
    if (exact === undefined) return [];
    const { among, rule, error } = exact;
    return nearMissTemplates(exact, file).map(([title, near]) => {
      const template = among === undefined ? near : `unlisted(${among}, ${near})`;
      // A carrier may refuse a NUL wherever it stands (SEC-11).
      const codes = error === undefined || title.includes('NUL') ? {} : { error };
      const difference = { claims: { [name]: `{{ ${template} }}` } };
      return { title: `${name} ${title} is denied`, difference, rule, outcome: 'denied', ...codes };
    });
  });

/** URIs that must be exactly right: the issuer and the registered ones. */
const exactUris = [
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

function uriSingles(file: Json | undefined): readonly SingleRequest[] {
  const spellings = rowTexts(readMember(file, 'spellings'));
  return exactUris.flatMap(({ claim, right, among, rule, spelling = rule }) =>
    namedTexts(file, 'uris').map(([title, template]): SingleRequest => {
      const changed = `{{ unlisted(${among}, ${rowText(fillReferences(template, { uri: right }))}) }}`;
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
const outsidePlaces: readonly (readonly [words: string, make: (values: JsonObject) => JsonObject, rule: string])[] = [
  ['beside the request object', (beside) => ({ beside }), 'TRN-005#outside-wins'],
  [
    'beside the request object with the client_id',
    (values) => ({ beside: { client_id: '{{ client.client_id }}', ...values } }),
    'TRN-005#outside-wins',
  ],
  ['in the URL', (query) => ({ query }), 'TRN-008'],
];

/** A value outside has no effect, whether the request object has its own or none. */
function outsideSingles(): readonly SingleRequest[] {
  const optional = requestMembers.flatMap(({ name, outside }) =>
    outside === undefined ? [] : [[name, outside] as const],
  );
  const groups = [...optional.map((one) => [one]), optional];
  return outsidePlaces.flatMap(([words, make, rule]) =>
    groups.flatMap((group) =>
      [true, false].map((isSigned): SingleRequest => {
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
const isAllowedText = (text: string): boolean => text !== '' && isWellFormed(text) && !/\p{Cc}/u.test(text);

/** Values that are accepted and come back as they were sent. */
const returnedSingles = (texts: readonly string[]): readonly SingleRequest[] =>
  texts.flatMap((text) =>
    (
      [
        ['state', 'REQ-039'],
        ['nonce', 'REQ-040'],
      ] as const
    ).map(
      ([claim, rule]): SingleRequest => ({
        title: `${claim} comes back as it was sent: ${JSON.stringify(text.slice(0, 40))}`,
        difference: { claims: { [claim]: escapeTemplates(text) } },
        rule,
        outcome: isAllowedText(text) ? 'accepted' : 'answered',
      }),
    ),
  );

/** Unknown claims and members, which are ignored (§2.3, §9.5). */
function unknownSingles(names: readonly string[]): readonly SingleRequest[] {
  const known = new Set(requestMembers.map(({ name }) => name));
  return names
    .filter((name) => !known.has(name) && isAllowedText(name))
    .flatMap((name): readonly SingleRequest[] => [
      {
        title: `An unknown claim is ignored: ${JSON.stringify(name.slice(0, 40))}`,
        difference: { append: escapeTemplates(`${JSON.stringify(name)}:{"acr_values":"a9","aud":"x"}`) },
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
const comparedMembers = [
  { member: 'sub', rule: 'UT-009', right: 'subscriber.sub', heads: [7, 12, 16, 20] },
  { member: 'client_id', rule: 'UT-008', right: 'client.client_id', heads: [4, 8, 12, 16] },
  { member: 'usertrait', rule: 'UT-011', right: "'sim_tenure'", heads: [3, 8] },
] as const;

/** Additions that a lookup may ignore: then the member is right. */
const forgivenAdditions = /blank|space|tab|feed|return|accent|byte order|mark|hyphen|NUL|capitals/;

const comparedProbes = (file: Json | undefined): readonly Probe[] =>
  comparedMembers.flatMap(({ member, rule, right, heads }) =>
    nearMissTemplates({ right, heads, except: forgivenAdditions }, file).map(([title, template]) =>
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
  return sample(text, { seed: seededRandom(seed).below(2 ** 31), numRuns: count }).filter(isWellFormed);
}

/** Texts of about the length of buffers. */
const bufferSizedTexts = [...[255, 256, 257].map((length) => 'x'.repeat(length)), 'é'.repeat(128), '😀'.repeat(64)];

/** Every single value, listed and drawn, in the order of the seed (§2.3). */
export function valueProbes(
  { seed, round }: Pick<RoundSettings, 'seed' | 'round'>,
  count: number,
  file: Json | undefined,
  abilities: TargetAbilities,
): readonly Probe[] {
  const rare = [...rowTexts(readMember(file, 'strings')), ...bufferSizedTexts];
  const own = roundSeed({ seed, round });
  const singles = (all: readonly SingleRequest[]): readonly Probe[] =>
    all.map((one) => singleProbe(one, 'values', abilities));
  const drawn = [
    ...returnedSingles(drawTexts(`${own} texts`, Math.ceil(count / 20), rare)),
    ...unknownSingles(drawTexts(`${own} names`, Math.ceil(count / 50), rare)),
  ];
  const listed = [
    ...singles([
      ...nearMissSingles(file),
      ...uriSingles(file),
      ...outsideSingles(),
      ...returnedSingles(rare),
      ...unknownSingles([...rare, ...rowTexts(readMember(file, 'names'))]),
    ]),
    ...readProbes(readMember(file, 'rows'), 'values', abilities),
    ...(abilities.runs('plain-query') ? comparedProbes(file) : []),
  ];
  return [
    ...singles(drawn).slice(0, count / 4),
    ...dealItems(listed, { seed: `${seed} values`, round }, (count * 3) / 4),
  ];
}

/** JSON of wrong types for claims: each gets a response below 500. */
const wrongTypeTexts = ['null', 'true', '0', '1.5', '[]', '{}', '""', '[null]', '{"a":1}', '1e400', '"\\u0000"'];

/** Malformed requests (§2.1, §4.1): refused or answered, and the next request is accepted. */
export function byteProbes(
  { seed, round }: Pick<RoundSettings, 'seed' | 'round'>,
  count: number,
  file: Json | undefined,
  abilities: TargetAbilities,
): readonly Probe[] {
  const typed = requestMembers.flatMap(({ in: part, name }) =>
    part === 'header'
      ? []
      : wrongTypeTexts.map((text) => {
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
  const listed = [...readProbes(readMember(file, 'rows'), 'bytes', abilities), ...typed];
  return dealItems(listed, { seed: `${seed} bytes`, round }, count);
}
