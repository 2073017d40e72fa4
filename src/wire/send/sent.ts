import { cutAt } from '../../lib/cut.ts';
import { defined } from '../../lib/json.ts';
import type { CarrierspecError } from '../../model/problem.ts';
import type { HeaderLines, NoResponse } from '../../model/exchange.ts';
import { shortageOf } from '../shortage.ts';
import { LinkLocal } from './connect.ts';

/** A response as received: header lines in their order and case, body bytes up to the limit. */
export interface Response {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: Buffer;
  readonly bytes: number;
}

export type Sent = { readonly response: Response } | { readonly noResponse: Unanswered };

export interface Unanswered {
  readonly reason: NoResponse;
  readonly detail: string;
  /** Nothing was sent, because the host leads to a link-local address. */
  readonly unsent?: true;
  /** This machine ran out of a resource and could not send it. */
  readonly shortage?: CarrierspecError;
}

export class RequestTimeout extends Error {}

const reasons: Readonly<Record<string, NoResponse>> = {
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
const longestDetail = 500;

/** OpenSSL's reason, without addresses and source positions. */
const reasonOfOpenssl = ({ message }: Error): string | undefined => /:SSL routines:[^:]*:([^:]*):/.exec(message)?.[1];

/** Reason of a failed connection, cut to the limit. */
export const wordsOf = (error: Error): string => cutAt(reasonOfOpenssl(error) ?? error.message, longestDetail);

export const unanswered = (error: Error): Unanswered => ({
  reason: nameFailure(error),
  detail: wordsOf(error),
  ...(error instanceof LinkLocal ? { unsent: true } : {}),
  ...defined({ shortage: shortageOf(error) }),
});

function nameFailure(error: Error): NoResponse {
  if (error instanceof RequestTimeout) return 'timeout';
  if (reasonOfOpenssl(error) !== undefined) return 'tls';
  // An unrequested 1xx status: the client closed the connection, not the carrier.
  if (error.message === 'bad response') return 'protocol';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/CERT|CRL|TLS|SSL|SELF_SIGNED|UNABLE_TO|HOSTNAME|INVALID_(?:CA|PURPOSE)|PATH_LENGTH/.test(code)) return 'tls';
  return reasons[code] ?? 'protocol';
}

const latin1 = (part: unknown): string => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part));

export function headerLines(raw: unknown): HeaderLines {
  if (!Array.isArray(raw)) return [];
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name: unknown = raw[at];
    const value: unknown = raw[at + 1];
    for (const one of Array.isArray(value) ? value : [value]) lines.push([latin1(name), latin1(one)]);
  }
  return lines;
}
