import { array, constantFrom, integer, jsonValue, oneof, record, sample, string, stringMatching } from 'fast-check';
import { requestMembers } from '../../interfaces/server-initiated/claims.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import { type Probe, wholeProbe } from '../explore/exploration.ts';
import type { TargetAbilities } from './abilities.ts';
import { acceptedSteps } from './accepted-steps.ts';
import { acceptedRule } from './request-parts.ts';

/** Request with a drawn value, which must be accepted. */
interface DrawnRequest {
  readonly title: string;
  readonly difference: JsonObject;
  readonly rule: string;
}

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
  ({ member: [claim, rule], text }): DrawnRequest => ({
    title: `${claim} comes back as it was sent: ${shorten(text)}`,
    difference: { claims: { [claim]: escapeTemplates(text) } },
    rule,
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
      return { title, difference: { claims: { [claim]: text } }, rule };
    }),
  ),
);

const knownNames = new Set(requestMembers.map(({ name }) => name));

/** Unknown claims and members, which are ignored whatever their value (§2.3, §9.5). */
const unknownName = record({
  name: anyText.filter((name) => !knownNames.has(name)),
  value: jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }).map((json) => JSON.stringify(json)),
  isClaim: constantFrom(true, false),
}).map(({ name, value, isClaim }): DrawnRequest => {
  const claim = { append: escapeTemplates(`${JSON.stringify(name)}:${value}`) };
  return {
    title: `An unknown ${isClaim ? 'claim' : 'member beside the request object'} is ignored: ${shorten(name)}`,
    difference: isClaim ? claim : { beside: { [name]: 'x' } },
    rule: isClaim ? 'REQ-087' : 'REQ-088',
  };
});

const drawnRequests = oneof(
  { weight: 2, arbitrary: returnedText },
  { weight: 1, arbitrary: patternedText },
  { weight: 1, arbitrary: unknownName },
);

/** Drawn texts as values and names of members (§2.3); the callback of the approved request shows how they were read. */
export const valueProbes = (seed: string, count: number, abilities: TargetAbilities): readonly Probe[] =>
  sample(drawnRequests, { seed: seededRandom(`${seed} values`).below(2 ** 31), numRuns: Math.max(1, count) })
    .slice(0, count)
    .map(({ title, difference, rule }) =>
      wholeProbe({
        kind: 'values',
        title,
        rules: [rule],
        steps: (prefix) => acceptedSteps({ difference, rule, decision: 'approve', prefix, abilities }),
        alone: false,
        requests: 1,
      }),
    );
