import { type Capture, mostExchanges } from './captured.ts';
import { readHar } from './har.ts';
import { isHttpText, readHttpText } from './http-text.ts';

/** The HTTP messages that a text shows: a HAR, or messages one after the other. Undefined of any other. */
export function readCapture(text: string): Capture | { readonly why: string } | undefined {
  const har = readHar(text);
  if (har !== undefined) return har;
  if (!isHttpText(text)) return undefined;
  const all = readHttpText(text);
  return { kind: 'http', exchanges: all.slice(0, mostExchanges), leftOut: Math.max(0, all.length - mostExchanges) };
}
