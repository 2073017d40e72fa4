import { truncateText } from '../../lib/truncation.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { CarrierspecError } from '../../model/problem.ts';
import type { HeaderLines, NoResponse } from '../../model/exchange.ts';
import { longHeaderReason } from '../read/collect-body.ts';
import { toShortage } from '../shortage.ts';
import { LinkLocalError } from './connections.ts';

/** A response as received: header lines in their order and case, body bytes up to the limit. */
export interface WireResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: Buffer;
  readonly bytes: number;
}

export type SendResult = { readonly response: WireResponse } | { readonly noResponse: MissingResponse };

export interface MissingResponse {
  readonly reason: NoResponse;
  readonly detail: string;
  /** Nothing was sent, because the host leads to a link-local address. */
  readonly unsent?: true;
  /** A response came, and its header is longer than we read. */
  readonly overLimit?: true;
  /** This machine ran out of a resource and could not send it. */
  readonly shortage?: CarrierspecError;
}

export class RequestTimeout extends Error {}

const reasonsByCode: Readonly<Record<string, NoResponse>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'unresolved',
  ELINKLOCAL: 'unresolved',
  EAI_AGAIN: 'unresolved',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};

/** Maximum characters: a certificate may list many names, and the carrier chooses them. */
const maxDetail = 500;

/** OpenSSL's reason, without addresses and source positions. */
const opensslReason = ({ message }: Error): string | undefined => /:SSL routines:[^:]*:([^:]*):/.exec(message)?.[1];

/** Reason of a failed connection, cut to the limit. */
export const failureDetail = (error: Error): string => truncateText(opensslReason(error) ?? error.message, maxDetail);

const overflowCodes: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** Whether a parser gave up because a header was too long. */
export const isHeaderOverflow = (error: Error): boolean => 'code' in error && overflowCodes.has(error.code);

export function toMissingResponse(error: Error): MissingResponse {
  if (isHeaderOverflow(error)) return { reason: 'protocol', detail: longHeaderReason.response, overLimit: true };
  return toMissing(error);
}

const toMissing = (error: Error): MissingResponse => ({
  reason: nameFailure(error),
  detail: failureDetail(error),
  ...(error instanceof LinkLocalError ? { unsent: true } : {}),
  ...omitUndefined({ shortage: toShortage(error) }),
});

function nameFailure(error: Error): NoResponse {
  if (error instanceof RequestTimeout) return 'timeout';
  if (opensslReason(error) !== undefined) return 'tls';
  // An unrequested 1xx status: the client closed the connection, not the carrier.
  if (error.message === 'bad response') return 'protocol';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/CERT|CRL|TLS|SSL|SELF_SIGNED|UNABLE_TO|HOSTNAME|INVALID_(?:CA|PURPOSE)|PATH_LENGTH/.test(code)) return 'tls';
  return reasonsByCode[code] ?? 'protocol';
}

const latin1 = (part: unknown): string => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part));

export function pairHeaderLines(raw: unknown): HeaderLines {
  if (!Array.isArray(raw)) return [];
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name: unknown = raw[at];
    const value: unknown = raw[at + 1];
    for (const one of Array.isArray(value) ? value : [value]) lines.push([latin1(name), latin1(one)]);
  }
  return lines;
}
