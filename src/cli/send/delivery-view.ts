import type { Json } from '../../lib/json.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { Page } from '../../report/shared/layout.ts';
import { renderObject } from '../shared/object-view.ts';
import type { Report } from './ask.ts';
import { renderBody, renderHead } from './exchange-view.ts';

interface Awaited {
  readonly word: 'callback' | 'event';
  /** Path and query at which it is awaited, where only one place is. */
  readonly at?: string | undefined;
  readonly report: Report;
}

/** The invariants that read the keys and judge the signature of what came. */
const signatureJudges = { callback: 'id-tokens-signed-by-a-published-key', event: 'event-token-signed' } as const;

/** What became of the signature of the token. */
function signatureWords({ word, report: { invariants } }: Awaited): string {
  const judge = invariants.find(({ id }) => id === signatureJudges[word]);
  if (judge === undefined)
    return word === 'event' ? 'signature not verified' : 'signature not verified: no keys were fetched';
  return judge.violations === 0 ? 'signature verified with a key of jwks_uri' : 'the signature does NOT verify';
}

const tokenNames = { callback: 'id token', event: 'SET' } as const;

/** What came, decoded. */
export function renderDelivery(page: Page, delivery: Delivery, awaited: Awaited): readonly string[] {
  const { idToken: token, method, target, request, receivedAt } = delivery;
  const { word, at } = awaited;
  if (at !== undefined && target !== at)
    return page.fact('also came', `${method} ${target}`, { indent: 0, tone: page.paint.dim });
  const since = { at: Math.floor(receivedAt / 1000), is: 'it came' };
  const view = (part: string, value: Json): readonly string[] =>
    renderObject(page, { part: `${tokenNames[word]} ${part}`, value, differences: [], since });
  return [
    '',
    ...page.fact(word, `${method} ${target}`, { indent: 0 }),
    ...renderHead(page, request.headers, receivedAt),
    ...renderBody(page, request, since),
    ...(token === undefined ? [] : [...view('header', token.header), ...view('claims', token.claims)]),
    ...(token === undefined ? [] : page.paragraph(signatureWords(awaited), { indent: 4, tone: page.paint.bold })),
  ];
}
