import type { JsonObject } from '../../../lib/json.ts';
import { countOf } from '../../../lib/lists.ts';
import { defined } from '../../../lib/optional.ts';
import type { HeaderLines } from '../../../model/exchange.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import { decodedJson, renderDecoded } from '../describe.ts';
import {
  type DecodedCapture,
  type DecodedExchange,
  type DecodedHalf,
  exchangeBreaksRequired,
} from './judge-capture.ts';

const kindWords: Readonly<Record<DecodedCapture['kind'], string>> = {
  http: 'HTTP messages',
  har: 'HAR',
};

/** Header lines that are shown; a hostile head may have thousands. */
const shownHeaders = 40;

function renderHeaders(page: Page, headers: HeaderLines): readonly string[] {
  const left = headers.length - shownHeaders;
  return [
    ...headers
      .slice(0, shownHeaders)
      .map(([name, value]) => page.paint.dim(`  ${forTerminal(name, 80)}: ${forTerminal(value, 400)}`)),
    ...(left > 0 ? [page.paint.dim(`  and ${countOf(left, 'more header line')}`)] : []),
  ];
}

interface View {
  readonly page: Page;
  readonly now: number;
  readonly withHeaders: boolean;
}

/** UTF-16 units of a body that is no message. */
const textLimit = 600;

function renderBody({ text, decoded }: DecodedHalf, { page, now }: View): readonly string[] {
  if (decoded === undefined) return [];
  const lines = renderDecoded(page, decoded, now);
  if (decoded.found.type !== 'text' || text !== undefined) return lines;
  return ['no body', ...(decoded.judged.length > 0 ? lines.slice(1) : [])];
}

function renderHalf(half: DecodedHalf, view: View): readonly string[] {
  const { headers, cut, text } = half;
  const { page, withHeaders } = view;
  return [
    ...(withHeaders ? renderHeaders(page, headers) : []),
    ...(text === undefined ? [] : [`  ${forTerminal(text, textLimit)}`]),
    ...page.paragraph(cut && `the body is not all there, and not judged: ${cut}`, { tone: page.paint.yellow }),
    ...(cut === undefined ? renderBody(half, view) : []),
  ];
}

const requestLine = ({ form }: { readonly form?: string }, page: Page): string =>
  page.paint.dim(form === undefined ? 'request' : `request, ${forTerminal(form, 120)}`);

function renderExchange(exchange: DecodedExchange, view: View): readonly string[] {
  const { number, notes, url, request, response } = exchange;
  const { page } = view;
  const asked =
    request === undefined ? '' : `${forTerminal(request.method, 20)} ${forTerminal(url ?? request.target, 400)}`;
  const status = response === undefined ? 'no response' : `${response.status}`;
  const tone = exchangeBreaksRequired(exchange) ? page.paint.red.bold : page.paint.bold;
  return [
    '',
    tone(`#${number}  ${[asked, status].filter((part) => part !== '').join('  ')}`),
    ...notes.flatMap((note) => page.paragraph(note, { tone: page.paint.dim })),
    ...(request === undefined ? [] : [requestLine(request, page), ...renderHalf(request, view)]),
    ...(response === undefined ? [] : [page.paint.dim(`response ${response.status}`), ...renderHalf(response, view)]),
  ];
}

/** One block for each exchange, then how many there were. `now`: seconds. */
export function renderCapture(
  page: Page,
  { kind, exchanges, leftOut }: DecodedCapture,
  now: number,
): readonly string[] {
  const broken = exchanges.filter(exchangeBreaksRequired).length;
  const view = { page, now, withHeaders: kind !== 'har' };
  return [
    page.paint.bold(`${kindWords[kind]}: ${countOf(exchanges.length + leftOut, 'exchange')}`),
    ...exchanges.flatMap((exchange) => renderExchange(exchange, view)),
    '',
    `${countOf(broken, 'exchange breaks', 'exchanges break')} a required rule`,
    ...(leftOut === 0
      ? []
      : [`${countOf(leftOut, 'exchange was', 'exchanges were')} left out: neither decoded nor judged`]),
  ];
}

const halfJson = ({ headers, cut, text, decoded }: DecodedHalf): JsonObject => ({
  headers: headers.map(([name, value]) => [name, value]),
  ...defined({ cut, text, message: decoded && decodedJson(decoded) }),
});

const exchangeJson = ({ number, notes, url, request, response }: DecodedExchange): JsonObject => ({
  number,
  ...defined({ url }),
  ...(notes.length === 0 ? {} : { notes }),
  ...(request === undefined
    ? {}
    : {
        request: {
          method: request.method,
          target: request.target,
          ...defined({ form: request.form }),
          ...halfJson(request),
        },
      }),
  ...(response === undefined ? {} : { response: { status: response.status, ...halfJson(response) } }),
});

/** The same as data. */
export const captureJson = ({ kind, exchanges, leftOut }: DecodedCapture): JsonObject => ({
  type: kind,
  exchanges: exchanges.map(exchangeJson),
  leftOut,
});
