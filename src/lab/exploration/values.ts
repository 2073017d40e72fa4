import { array, constantFrom, integer, jsonValue, oneof, record, sample, string, stringMatching } from 'fast-check';
import { requestMembers } from '../../interfaces/server-initiated/claims.ts';
import { pickItem, type Random, seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import type { KeptParts, Probe } from '../explore/exploration.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import { acceptedSteps, consentDifference, type UserDecision } from '../requests/accepted-steps.ts';
import { acceptedRule, isPlainValue, type PartValue, type RequestPart } from '../requests/request-parts.ts';
import { joinDifferences, touchedParts, touchSameParts } from '../requests/request-points.ts';

/** Whether all interpretations of §2.3 allow the text: a carrier may refuse controls. */
const isAllowedText = (text: string): boolean =>
  text === Buffer.from(text, 'utf8').toString('utf8') && !/^$|\p{Cc}/u.test(text);

/** Any code point but a surrogate, half of them of the first plane. */
const codePoint = oneof(integer({ min: 0, max: 0xffff }), integer({ min: 0x1_0000, max: 0x10_ffff })).filter(
  (point) => point < 0xd800 || point > 0xdfff,
);

/** Pieces that a carrier may decode, quote, fold or cut. */
const rareTexts = ['%41', '%2', '&amp;', '\\u0041', '$(x)', '{0}', '"', "'", '<!--', '+', '\u00e9', 'e\u0301'].concat([
  '\u212a',
  '\u0130',
  '\u200d',
  '\ufeff',
  '\u202e',
  '\u2028',
  '\ud83d\ude00',
  'x'.repeat(255),
  '\u00e9'.repeat(128),
]);

/** Texts of graphemes, of arbitrary code points, and of rare texts put together. */
const anyText = oneof(
  string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 }),
  // Like `unit: 'binary'`, which takes more than a second to begin.
  array(codePoint, { minLength: 1, maxLength: 30 }).map((points) => String.fromCodePoint(...points)),
  array(constantFrom(...rareTexts), { minLength: 1, maxLength: 4 }).map((texts) => texts.join('-').slice(0, 400)),
).filter(isAllowedText);

const shorten = (text: string): string => JSON.stringify(text.slice(0, 40));

/** Values that are accepted and come back as they were sent. */
const returnedText = record({
  member: constantFrom(['state', 'REQ-039'] as const, ['nonce', 'REQ-040'] as const),
  text: anyText,
}).map(
  ({ member: [claim, rule], text }): PartValue => ({
    name: `${claim} ${shorten(text)}`,
    difference: { claims: { [claim]: escapeTemplates(text) } },
    rule,
  }),
);

/** Texts of the patterns that the interface gives. */
const patternedText = oneof(
  ...[
    { claim: 'context', rule: 'REQ-073', text: /^[A-Za-z0-9-]{8,240}$/ },
    { claim: 'correlation_id', rule: 'REQ-082', text: /^[A-Za-z0-9_-]{1,128}$/ },
    { claim: 'client_notification_token', rule: acceptedRule, text: /^[A-Za-z0-9._~-]{22,200}$/ },
  ].map(({ claim, rule, text: pattern }) =>
    stringMatching(pattern).map(
      (text): PartValue => ({ name: `${claim} ${shorten(text)}`, difference: { claims: { [claim]: text } }, rule }),
    ),
  ),
);

const knownNames = new Set(requestMembers.map(({ name }) => name));

/** Unknown claims and members, which are ignored whatever their value (§2.3, §9.5). */
const unknownName = record({
  name: anyText.filter((name) => !knownNames.has(name)),
  value: jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }).map((json) => JSON.stringify(json)),
  isClaim: constantFrom(true, false),
}).map(({ name, value, isClaim }): PartValue => {
  const claim = { append: escapeTemplates(`${JSON.stringify(name)}:${value}`) };
  return {
    name: `the unknown ${isClaim ? 'claim' : 'member beside the request object'} ${shorten(name)}`,
    difference: isClaim ? claim : { beside: { [name]: 'x' } },
    rule: isClaim ? 'REQ-087' : 'REQ-088',
  };
});

const drawnTexts = oneof(
  { weight: 2, arbitrary: returnedText },
  { weight: 1, arbitrary: patternedText },
  { weight: 1, arbitrary: unknownName },
);

interface ValuesGround {
  readonly abilities: TargetAbilities;
  readonly parts: readonly RequestPart[];
  /** Scopes of the SP. */
  readonly scopes: readonly string[];
}

/** A list of scopes in drawn order. */
function drawScope(scopes: readonly string[], random: Random): PartValue {
  const others = scopes.filter((one) => one !== 'openid' && one !== 'events');
  const scope = random.shuffled(['openid', ...random.shuffled(others).slice(0, 1 + random.below(4))]).join(' ');
  return { name: `scope ${scope}`, difference: { claims: { scope } }, rule: acceptedRule };
}

/** A text, perhaps a list of scopes, and conforming values of a drawn share of the other members. */
function drawValues(text: PartValue, { parts, scopes }: ValuesGround, random: Random): readonly PartValue[] {
  const share = random.below(5);
  const listed = random.shuffled(parts).filter(() => random.below(4) < share);
  const values = [
    text,
    ...(random.below(2) === 0 ? [drawScope(scopes, random)] : []),
    ...listed.flatMap((part) => pickItem(part.values, random) ?? []).filter((value) => !isPlainValue(value)),
  ];
  return values.filter((value, at) =>
    values.slice(0, at).every((before) => !touchSameParts(before.difference, value.difference)),
  );
}

const decisionCycle: readonly UserDecision[] = ['approve', 'approve partly', 'deny', 'approve', 'time-out'];
/** Most values that a title names. */
const maxTitleValues = 6;
/** Requests in one case, with one control. */
const requestsPerCase = 4;

/** Requests that must be accepted and end as the user decides (§2.3, §2.6). */
function valuesProbe(requests: readonly (readonly PartValue[])[], at: number, abilities: TargetAbilities): Probe {
  const parts = requests.flatMap((values, request) => values.map((value) => ({ value, request })));
  const requestSteps = (request: number, kept: KeptParts): readonly JsonObject[] => {
    const left = parts.filter((one, place) => one.request === request && kept[place] === true);
    const difference = left.reduce<JsonObject>((all, { value }) => joinDifferences(all, value.difference) ?? all, {});
    const [only = { value: { rule: acceptedRule } }] = left.length === 1 ? left : [];
    const decision = decisionCycle[(at + request) % decisionCycle.length] ?? 'approve';
    const asked = decision === 'approve partly' ? consentDifference(touchedParts(difference), at) : {};
    const sent = joinDifferences(difference, asked) ?? difference;
    const flow = { difference: sent, rule: only.value.rule, decision, prefix: `r${request + 1}-`, abilities };
    return left.length === 0 ? [] : acceptedSteps(flow);
  };
  return {
    kind: 'values',
    title: (kept) => {
      const left = parts.filter((_, place) => kept[place] === true);
      const names = left.map(({ value }) => value.name);
      const words = names.length > maxTitleValues ? `${names.length} conforming values` : names.join(', ');
      const isOne = new Set(left.map(({ request }) => request)).size === 1;
      return isOne
        ? `A request with ${words} is accepted, and ends as the user decides`
        : `Requests with ${words} are accepted, and end as the user decides`;
    },
    setting: {},
    parts: parts.map(({ value }) => value.name),
    steps: (kept) => {
      const steps = requests.flatMap((_, request) => requestSteps(request, kept));
      return steps.length === 0
        ? undefined
        : [...steps, { as: 'control', authorize: {}, expect: 'accepted', control: true }];
    },
    requests: requests.length,
  };
}

/** Drawn texts and conforming values together (§2.3); the end of each request shows how they were read. */
export function valueProbes(seed: string, requests: number, ground: ValuesGround): readonly Probe[] {
  const random = seededRandom(`${seed} values`);
  const texts = sample(drawnTexts, { seed: random.below(2 ** 31), numRuns: Math.max(1, requests) }).slice(0, requests);
  const drawn = texts.map((text) => drawValues(text, ground, random));
  return Array.from({ length: Math.ceil(drawn.length / requestsPerCase) }, (_, at) =>
    valuesProbe(drawn.slice(at * requestsPerCase, (at + 1) * requestsPerCase), at, ground.abilities),
  );
}
