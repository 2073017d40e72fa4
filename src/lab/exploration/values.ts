import type { Arbitrary } from 'fast-check';
import { array, constantFrom, integer, jsonValue, oneof, record, sample, string, stringMatching } from 'fast-check';
import { requestMembers } from '../../interfaces/server-initiated/claims.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import { type Probe, wholeProbe } from '../explore/exploration.ts';
import type { TargetAbilities } from './abilities.ts';
import { acceptedSteps, decisionStep } from './accepted-steps.ts';
import { acceptedRule } from './request-parts.ts';
import { outcomeExpectation } from './request-points.ts';

/** Request with a drawn value. `answered`: any outcome but 5xx and silence. */
interface DrawnRequest {
  readonly title: string;
  readonly difference: JsonObject;
  readonly rule: string;
  readonly outcome: 'accepted' | 'denied' | 'answered';
  readonly error?: readonly string[];
  /** The target may have no such value: steps behind it would go untried. */
  readonly alone?: boolean;
}

const isWellFormed = (text: string): boolean => text === Buffer.from(text, 'utf8').toString('utf8');

/** Whether all interpretations of §2.3 allow the text: a carrier may refuse controls. */
const isAllowedText = (text: string): boolean => text !== '' && isWellFormed(text) && !/\p{Cc}/u.test(text);

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
).filter(isWellFormed);

const shorten = (text: string): string => JSON.stringify(text.slice(0, 40));

/** Values that are accepted and come back as they were sent. */
const returnedText = record({
  member: constantFrom(['state', 'REQ-039'] as const, ['nonce', 'REQ-040'] as const),
  text: anyText,
}).map(
  ({ member: [claim, rule], text }): DrawnRequest => ({
    title: `${claim} comes back as it was sent: ${shorten(text)}`,
    difference: { claims: { [claim]: escapeTemplates(text) } },
    rule,
    outcome: isAllowedText(text) ? 'accepted' : 'answered',
  }),
);

/** Texts of the patterns that the interface gives. */
const patternedText = oneof(
  ...[
    { claim: 'context', rule: 'REQ-073', text: /^[A-Za-z0-9-]{8,240}$/ },
    { claim: 'correlation_id', rule: 'REQ-082', text: /^[A-Za-z0-9_-]{1,128}$/ },
    { claim: 'client_notification_token', rule: acceptedRule, text: /^[A-Za-z0-9._~-]{8,200}$/ },
  ].map(({ claim, rule, text: pattern }) =>
    stringMatching(pattern).map((text): DrawnRequest => {
      const title = `A request with the ${claim} ${shorten(text)} is accepted`;
      return { title, difference: { claims: { [claim]: text } }, rule, outcome: 'accepted' };
    }),
  ),
);

const knownNames = new Set(requestMembers.map(({ name }) => name));

/** Unknown claims and members, which are ignored whatever their value (§2.3, §9.5). */
const unknownName = record({
  name: anyText.filter((name) => isAllowedText(name) && !knownNames.has(name)),
  value: jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }).map((json) => JSON.stringify(json)),
  isClaim: constantFrom(true, false),
}).map(({ name, value, isClaim }): DrawnRequest => {
  const claim = { append: escapeTemplates(`${JSON.stringify(name)}:${value}`) };
  return {
    title: `An unknown ${isClaim ? 'claim' : 'member beside the request object'} is ignored: ${shorten(name)}`,
    difference: isClaim ? claim : { beside: { [name]: 'x' } },
    rule: isClaim ? 'REQ-087' : 'REQ-088',
    outcome: 'accepted',
  };
});

const exactMembers = requestMembers.flatMap(({ name, exact }) => (exact === undefined ? [] : [{ name, exact }]));

/** Values that must be exactly right, with letters anywhere in between. */
const nearMiss = record({
  member: constantFrom(...exactMembers),
  place: integer({ min: 0, max: 40 }),
  letters: stringMatching(/^[a-z]{1,3}$/),
}).map(({ member: { name, exact }, place, letters }): DrawnRequest => {
  const { right, among, rule, error } = exact;
  const near = `concat(head(${right}, ${place}), '${letters}', rest(${right}, ${place}))`;
  const template = among === undefined ? near : `unlisted(${among}, ${near})`;
  return {
    title: `${name} with ${JSON.stringify(letters)} behind its first ${place} characters is denied`,
    difference: { claims: { [name]: `{{ ${template} }}` } },
    rule,
    outcome: 'denied',
    ...(error === undefined ? {} : { error }),
    alone: among !== undefined,
  };
});

/** Approves a request that may be accepted: its callback shows how the carrier understood it. */
function requestSteps(drawn: DrawnRequest, prefix: string, abilities: TargetAbilities): readonly JsonObject[] {
  const { difference, rule, outcome } = drawn;
  if (outcome === 'accepted') return acceptedSteps({ difference, rule, decision: 'approve', prefix, abilities });
  const request = { as: `${prefix}request`, authorize: difference, expect: outcomeExpectation(drawn) };
  if (outcome === 'denied' || !abilities.approve) return [request];
  const until = `${prefix}request + target.latency.callback + 60s`;
  // It may also be refused by callback (§4.1); invariants judge its content.
  const result = { as: `${prefix}result`, await: 'callback', of: `${prefix}request`, until };
  const expect = { rule: 'CB-001', body: { type: 'object' } };
  return [request, decisionStep('approve', { prefix }), { ...result, expect }];
}

const drawnRequests: Arbitrary<DrawnRequest> = oneof(
  { weight: 4, arbitrary: returnedText },
  { weight: 2, arbitrary: patternedText },
  { weight: 2, arbitrary: unknownName },
  { weight: 3, arbitrary: nearMiss },
);

/** Drawn texts as values and names of members (§2.3). */
export const valueProbes = (seed: string, count: number, abilities: TargetAbilities): readonly Probe[] =>
  sample(drawnRequests, { seed: seededRandom(`${seed} values`).below(2 ** 31), numRuns: Math.max(1, count) })
    .slice(0, count)
    .map((drawn) =>
      wholeProbe({
        kind: 'values',
        title: drawn.title,
        rules: [drawn.rule],
        steps: (prefix) => requestSteps(drawn, prefix, abilities),
        alone: drawn.alone === true,
        requests: 1,
      }),
    );
