import type { Attributes } from '@opentelemetry/api';
import { defined } from '../lib/optional.ts';
import type { Delivery, Exchange } from '../model/exchange.ts';
import type { CaseRef } from '../model/progress.ts';

/** Methods that the conventions know; any other is `_OTHER`, so that a carrier cannot make names. */
const known = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']);

const methodOf = (method: string): string => (known.has(method) ? method : '_OTHER');

/** `POST`; of a method that nobody knows, as the conventions have it. */
export const nameOf = ({ method }: Exchange | Delivery): string => (known.has(method) ? method : 'HTTP');

const method = ({ method: given }: Exchange | Delivery): Attributes => ({
  'http.request.method': methodOf(given),
  ...(known.has(given) ? {} : { 'http.request.method_original': given }),
});

/** A URL without its user and without the values of its query. */
function plainUrl(text: string): Attributes {
  if (!URL.canParse(text)) return {};
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.hash = '';
  url.search = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=REDACTED`).join('&');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { 'url.full': url.href, 'server.address': url.hostname, 'server.port': port };
}

/** The case that something is of, and where another case is a try of it, that too. */
export const caseAttributes = ({ id, of }: Partial<CaseRef>): Attributes =>
  defined({ 'carrierspec.case.id': of ?? id, 'carrierspec.try.case': of === undefined ? undefined : id });

const ofMessage = ({ id, step, attempt }: Exchange | Delivery): Attributes =>
  defined({ 'carrierspec.message.id': id, 'carrierspec.step': step, 'carrierspec.try': attempt });

/** What the HTTP conventions say of a client, and which message of the result it is; no body, no header. */
export const exchangeAttributes = (exchange: Exchange): Attributes => ({
  ...method(exchange),
  ...plainUrl(exchange.url),
  ...defined({ 'http.response.status_code': exchange.response?.status, 'error.type': errorOf(exchange) }),
  ...ofMessage(exchange),
  'carrierspec.purpose': exchange.purpose,
  'carrierspec.sent_at': isoOf(exchange.sentAt),
});

/** Why an exchange is an error: nothing came, or the carrier has failed. That a request is denied is none: most are meant to be. */
export function errorOf({ response, noResponse }: Exchange): string | undefined {
  if (noResponse !== undefined) return noResponse.reason;
  return response !== undefined && response.status >= 500 ? String(response.status) : undefined;
}

/** On the clock of the run, which may be virtual; a carrier may have set it anywhere. */
export const isoOf = (moment: number): string =>
  Math.abs(moment) <= 8.64e15 ? new Date(moment).toISOString() : String(moment);

/** What the conventions say of a server; the path without its query. */
export const deliveryAttributes = (delivery: Delivery, scheme: string): Attributes => ({
  ...method(delivery),
  'url.scheme': scheme,
  'url.path': delivery.target.replace(/[?#].*$/s, ''),
  ...(typeof delivery.answered === 'number'
    ? { 'http.response.status_code': delivery.answered }
    : { 'carrierspec.answered': delivery.answered }),
  ...ofMessage(delivery),
  ...defined({ 'carrierspec.stranger': delivery.stranger }),
  'carrierspec.received_at': isoOf(delivery.receivedAt),
});
