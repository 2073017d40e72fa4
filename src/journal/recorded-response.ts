import { headersByName } from '../judge/classify.ts';
import type { Exchange, RecordedMessage } from '../model/exchange.ts';

/** What the record of an exchange shows of its response by itself, whatever came. */
export const recordedExchange = ({ id, step, url, sentAt, receivedAt }: Exchange) => ({
  kind: 'response' as const,
  step,
  message: id,
  url,
  sentAt: sentAt / 1000,
  receivedAt: receivedAt / 1000,
  readable: 'verified' as const,
  took: receivedAt - sentAt,
  samples: [],
});

export const recordedContent = ({ headers, body: text }: RecordedMessage) => ({
  headers: headersByName(headers),
  headerLines: headers,
  text,
});
