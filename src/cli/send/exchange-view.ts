import { isJsonObject } from '../../lib/json.ts';
import type { Exchange, HeaderLines, RecordedMessage } from '../../model/exchange.ts';
import { renderDifferences } from '../../report/shared/facts.ts';
import type { Page } from '../../report/shared/layout.ts';
import { cutText } from '../../report/shared/sanitize.ts';
import { renderClockTime } from '../../report/shared/time.ts';
import { recognizeBody } from '../decode/capture/judge-capture.ts';
import { keysIn, renderKeys } from '../decode/key-view.ts';
import { renderObject } from '../shared/object-view.ts';

/** Header lines that are shown, and UTF-16 units of one value; a hostile response may have thousands. */
const shownHeaders = 60;
const headerLimit = 600;

/** When a message went or came, and its header fields. */
export function renderHead(page: Page, headers: HeaderLines, at: number): readonly string[] {
  return [
    ...page.fact('', `at ${renderClockTime(at, 'millisecond')}`, { indent: 0, tone: page.paint.dim }),
    ...renderHeaders(page, headers),
  ];
}

function renderHeaders(page: Page, headers: HeaderLines): readonly string[] {
  return [
    ...headers
      .slice(0, shownHeaders)
      .flatMap(([name, value]) =>
        page.paragraph(`${cutText(name, 80)}: ${cutText(value, headerLimit)}`, { indent: 4 }),
      ),
    ...(headers.length > shownHeaders ? [`    and ${headers.length - shownHeaders} more`] : []),
  ];
}

const bodyLimit = 2000;

/** What a message carries, its times in words as seen from the moment it was sent. */
export function renderBody(
  page: Page,
  message: RecordedMessage,
  since: { readonly at: number; readonly is: string },
): readonly string[] {
  const found = recognizeBody(message);
  const keys = keysIn(found);
  if (keys !== undefined) return renderKeys(page, keys);
  if (message.body === '') return [];
  const cut = message.truncated === true ? page.paragraph(`of ${message.bytes} bytes, cut`, { indent: 4 }) : [];
  const { body } = found;
  if (isJsonObject(body)) return [...renderObject(page, { part: 'body', value: body, differences: [], since }), ...cut];
  return [...page.paragraph(cutText(message.body, bodyLimit), { indent: 4 }), ...cut];
}

/** A body of the operator's own carries what it carries: the object that was made is not sent. */
const carriesObject = ({ object, differences }: Exchange): boolean =>
  object !== undefined && !differences.some(({ what }) => what === 'http.text');

/** What stands in the object that was sent, with the differences from the base marked. */
function renderSigned(page: Page, exchange: Exchange): readonly string[] {
  const { differences, sentAt, ...request } = exchange;
  const object = carriesObject(exchange) ? exchange.object : undefined;
  const since = { at: Math.floor(sentAt / 1000), is: 'it was sent' };
  const parts =
    object === undefined
      ? []
      : [
          ...renderObject(page, { part: 'header', value: object.header, differences, since }),
          ...renderObject(page, { part: 'claims', value: object.claims, differences, since }),
        ];
  const others = differences.filter(({ what }) => !/^(?:header|claims)\./.test(what));
  const whole = renderDifferences({ ...request, differences: others, sentAt });
  return [
    ...parts,
    ...(others.length === 0 ? [] : page.fact('~ also', whole, { tone: page.paint.yellow })),
    ...(parts.length + others.length === 0 ? [] : ['']),
  ];
}

/** The request: its object decoded, then the line, the header fields and, where no object says it already, the body. */
export function renderRequest(page: Page, exchange: Exchange, word = 'sent'): readonly string[] {
  const { method, url, request, sentAt } = exchange;
  const since = { at: Math.floor(sentAt / 1000), is: 'it was sent' };
  return [
    ...renderSigned(page, exchange),
    ...page.fact(word, `${method} ${url}`, { indent: 0, whole: true }),
    ...renderHead(page, request.headers, sentAt),
    ...(carriesObject(exchange) ? [] : renderBody(page, request, since)),
  ];
}

/** `12 ms`, `1.2 s`. */
const renderTook = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** The response with its header fields and, decoded, its body; or why there is none. `took`: milliseconds. */
export function renderResponse(page: Page, exchange: Exchange, took: number | undefined): readonly string[] {
  const { response, noResponse, receivedAt } = exchange;
  const { green, red } = page.paint;
  if (response === undefined) {
    const why = noResponse === undefined ? 'nothing' : `no response: ${noResponse.reason} (${noResponse.detail})`;
    return page.fact('response', why, { indent: 0, tone: red });
  }
  const after = took === undefined ? '' : `, after ${renderTook(took)}`;
  const since = { at: Math.floor(receivedAt / 1000), is: 'it came' };
  return [
    ...page.fact('response', `HTTP ${response.status} at ${renderClockTime(receivedAt, 'millisecond')}${after}`, {
      indent: 0,
      tone: response.status < 300 ? green : red,
    }),
    ...renderHeaders(page, response.headers),
    ...renderBody(page, response, since),
  ];
}
