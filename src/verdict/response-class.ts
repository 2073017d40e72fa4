import { type Json, parseBody, readTextMember } from '../lib/json.ts';
import type { Exchange, Message } from '../model/exchange.ts';
import type { BodyInterpreter } from '../model/interface.ts';

export type ResponseClass = 'accepted' | 'denied' | 'redirected' | 'broken' | 'no-answer';

/** 2xx is success, 4xx failure. A 2xx with an error counts as a denial; another expectation judges its form. */
export function classifyResponse(status: number, body: Json | undefined): ResponseClass {
  if (status >= 200 && status < 300) return readTextMember(body, 'error') === undefined ? 'accepted' : 'denied';
  if (status >= 400 && status < 500) return 'denied';
  return status >= 300 && status < 400 ? 'redirected' : 'broken';
}

const asItIs: BodyInterpreter = (body) => body;

/** Whether a recorded exchange got a success: a 2xx with an error is none. */
export const isAcceptedExchange = (message: Message, meant: BodyInterpreter = asItIs): message is Exchange =>
  message.kind === 'exchange' &&
  message.response !== undefined &&
  classifyResponse(message.response.status, meant(parseBody(message.response.body), message.response.body)) ===
    'accepted';
