import { createHash } from 'node:crypto';
import type { Message, RecordedMessage } from '../model/exchange.ts';
import type { CaseResult } from '../model/result.ts';

/** Ids, tokens, nonces and digests; addresses with a port that is given out anew. */
const words = /[\w-]+/g;
const random = /\d[\w-]{7}/;
const ports = /127\.0\.0\.1:\d+/g;
const plain = (text: string): string =>
  text.replaceAll(ports, 'host').replaceAll(words, (word) => (random.test(word) ? '*' : word));

function half({ headers, body }: RecordedMessage): string {
  const names = headers.map(([name, value]) => `${name.toLowerCase()}: ${plain(value)}`);
  return [...names.toSorted(), plain(body)].join('\n');
}

function lineOf(message: Message, startedAt: number): string {
  const after = Math.round((message.receivedAt - startedAt) / 1000);
  if (message.kind === 'delivery') {
    return `${message.step ?? ''} ${after} ${message.method} ${plain(message.target)}\n${half(message.request)}`;
  }
  const { response, noResponse, step } = message;
  return `${step} ${after} ${response === undefined ? (noResponse?.reason ?? '') : `${response.status}\n${half(response)}`}`;
}

/** A digest of what a carrier sent in a case, without what is random; equal digests: the two carriers did the same. */
export function wireShape({ messages, startedAt }: CaseResult): string {
  // What belongs to no step depends on which cases ran before.
  const own = messages.filter(({ step }) => step !== '');
  const lines = own.map((message) => lineOf(message, startedAt)).toSorted();
  return createHash('sha256').update(lines.join('\n\n')).digest('base64url').slice(0, 16);
}
