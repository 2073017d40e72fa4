import { defineCheck, type NamedCheck } from '../../../judge/check.ts';
import { memberOf, textMemberOf } from '../../../lib/json.ts';

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text is what two decodings make of a context, and neither the context nor what one makes of it (C1.2). */
export function isDecodedTwice(given: unknown, sent: string): boolean {
  const once = percentDecoded(sent);
  return given !== sent && given !== once && given === percentDecoded(once);
}

/** What the phone shows of a context (§2.3). */
export const contextTextChecks: readonly NamedCheck[] = [
  defineCheck('card-context-not-decoded-twice', (observation) => {
    if (observation.kind !== 'look' || observation.sent === undefined) return [];
    const sent = textMemberOf(observation.sent.claims, 'context') ?? '';
    const shown = memberOf(observation.card, 'context');
    if (!isDecodedTwice(shown, sent)) return [];
    const expected = `${sent}, or ${percentDecoded(sent)} where escapes are decoded`;
    return [{ path: 'card.context', expected, actual: shown ?? null }];
  }),
];
