import type { Json, JsonObject } from '../../json.ts';
import { all, type Edit } from '../edit/define.ts';
import { after, callingBack, changedIdToken, refusingWith, respondingWith } from '../edit/messages.ts';
import { withBuilders } from '../edit/parts.ts';
import { type DeepFault, deepTable, defineDeep } from './define.ts';
import { keeping } from './keeping.ts';

/** A claim, and how the carrier keeps it. */
type Kept = readonly [claim: string, form: (value: string) => string | undefined];

/** Texts that do not survive the way they are kept. */
const kept = deepTable('rare value', ([claim, form]: Kept) => keeping(claim, form), {
  'state-zero-left-out': [
    'An empty state and the state 0 are false where the carrier asks whether there is one, so they are left out.',
    'CB-010 CB-011 REQ-039',
    ['state', (state) => (['', '0'].includes(state) ? undefined : state)],
  ],
  'state-zero-width-dropped': [
    'The carrier cleans what it stores of characters that have no width, also where they join others.',
    'SEC-30 REQ-039 CB-010',
    ['state', (state) => state.replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '')],
  ],
  'state-line-separators-as-line-breaks': [
    'The line and paragraph separators of Unicode become line breaks on their way through a script.',
    'SEC-30 REQ-039 CB-010',
    ['state', (state) => state.replaceAll(/[\u2028\u2029\u0085]/g, '\n')],
  ],
  'state-in-upper-case-escapes': [
    'A state with percent escapes is decoded and encoded again, which writes their letters in capitals.',
    'SEC-30 REQ-039 CB-010',
    ['state', (state) => state.replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())],
  ],
  'nonce-null-left-out': [
    'The nonce null is what the database writes for none, so it is read as none.',
    'REQ-040 SEC-31',
    ['nonce', (nonce) => (['null', 'NULL'].includes(nonce) ? undefined : nonce)],
  ],
  'nonce-length-in-one-byte': [
    'The store writes the length of a nonce in one byte, so one of 256 characters has none and a longer one few.',
    'REQ-040 SEC-31',
    ['nonce', (nonce) => nonce.slice(0, nonce.length % 256)],
  ],
  'nonce-percent-decoded': [
    'The carrier decodes percent escapes of a nonce where they can be decoded.',
    'REQ-040 SEC-31',
    ['nonce', decoded],
  ],
  'notification-token-unpadded': [
    'The carrier takes client_notification_token for base64 and keeps it without the padding at its end.',
    'CB-004',
    ['client_notification_token', (token) => token.replace(/(?<!=)=+$/, '')],
  ],
  'notification-token-scheme-cut': [
    'A client_notification_token that begins with bearer loses the word, as if it were the scheme.',
    'CB-004',
    ['client_notification_token', (token) => token.replace(/^bearer(?=.)/i, '')],
  ],
});

const numbered = (name: string) => (body: JsonObject) => asNumber(body[name], name);

const others = defineDeep('rare value', {
  'correlation-id-of-digits-as-number': [
    'A correlation_id of digits comes back as a JSON number, without its leading zeros.',
    'RSP-002 CB-008 SEC-30 ERR-001',
    all(
      respondingWith(numbered('correlation_id')),
      refusingWith(numbered('correlation_id')),
      callingBack(numbered('correlation_id')),
    ),
  ],
  'state-read-as-json': [
    'A state that reads as JSON comes back as what it reads as, so true, null and 12e3 are no texts any more.',
    'SEC-30 REQ-039 CB-010',
    callingBack(({ state }) => {
      const read = parsed(state);
      return read === undefined ? {} : { state: read };
    }),
  ],
  'state-raw-in-the-opened-uri': [
    'The phone opens the redirect_uri with the state as it is, so its ampersand begins another parameter.',
    'REQ-053',
    withBuilders(({ openedUri }) => ({
      openedUri: (request) => openedUri(request)?.replace(/state=.*$/s, `state=${request.wanted.state ?? ''}`),
    })),
  ],
  'granted-life-in-16-bits': [
    'The timer counts seconds in 16 bits, so a life above 65,535 seconds ends after what is left over.',
    'FLOW-015 RSP-006',
    withBuilders(({ timesOutAt }) => ({
      timesOutAt: (request) => {
        const due = timesOutAt(request);
        return due === undefined ? undefined : due - Math.floor(request.granted / 65_536) * 65_536_000;
      },
    })),
  ],
  'life-of-a-few-seconds-without-end': [
    'The timer works in steps of five seconds, so a life below five seconds is none, and the request waits for ever.',
    'FLOW-012 FLOW-013',
    withBuilders(({ timesOutAt }) => ({
      timesOutAt: (request) => (request.granted < 5 ? undefined : timesOutAt(request)),
    })),
  ],
  'context-formatted': [
    'The phone writes its text by printf, so the context loses a percent sign with an s or d behind it.',
    'REQ-072 REQ-078',
    shownAs((context) => context.replaceAll(/%[sd]/g, '')),
  ],
  'context-of-digits-as-number': [
    'A context of digits alone is kept as a number, so its leading zeros are neither shown nor signed.',
    'REQ-072 REQ-079',
    all(
      shownAs((context) => (/^\d+$/.test(context) ? String(Number(context)) : context)),
      changedIdToken(numbered('context')),
    ),
  ],
  'context-with-typographic-dashes': [
    'The page makes one dash of two hyphens, so the user authorizes another text than the id token has.',
    'REQ-072 REQ-097',
    shownAs((context) => context.replaceAll('--', '–')),
  ],
});

export const rareTextFaults: readonly DeepFault[] = [...kept, ...others];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function asNumber(value: Json | undefined, name: string): Readonly<Record<string, Json>> {
  return typeof value === 'string' && /^\d+$/.test(value) ? { [name]: Number(value) } : {};
}

function parsed(value: Json | undefined): Json | undefined {
  try {
    const read: unknown = JSON.parse(typeof value === 'string' ? value : '');
    return read === null || typeof read === 'number' || typeof read === 'boolean' ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The phone shows the context in this form. */
function shownAs(form: (context: string) => string): Edit {
  return withBuilders(({ card }) => ({
    card: after(card, ({ context }) => (typeof context === 'string' ? { context: form(context) } : {})),
  }));
}
