import { type Capture, type CapturedExchange, mostExchanges } from './captured.ts';
import { isCurl, readCurl } from './curl.ts';
import { readHar } from './har.ts';
import { isHttpText, readHttpText } from './http-text.ts';

const bounded = (kind: Capture['kind'], all: readonly CapturedExchange[]): Capture => ({
  kind,
  exchanges: all.slice(0, mostExchanges),
  leftOut: Math.max(0, all.length - mostExchanges),
});

/** Whether a text shows HTTP messages with their heads. */
export const showsHttp = (text: string): boolean => isCurl(text) || isHttpText(text);

/** The HTTP messages that a text shows: a HAR, the output of `curl -v`, or messages one after the other. Undefined of any other. */
export function readCapture(text: string): Capture | { readonly why: string } | undefined {
  const har = readHar(text);
  if (har !== undefined) return har;
  if (isCurl(text)) return bounded('curl', readCurl(text));
  return isHttpText(text) ? bounded('http', readHttpText(text)) : undefined;
}
