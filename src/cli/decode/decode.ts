import type { Recognized } from '../../interfaces/server-initiated/decode/recognize.ts';
import type { JsonObject } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { readSuites } from '../../setup/read.ts';
import type { decodeDefinition } from '../definitions/reading.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import type { Capture } from './capture/captured.ts';
import { captureJson, renderCapture } from './capture/describe-capture.ts';
import { exchangeBreaksRequired, judgeCapture } from './capture/judge-capture.ts';
import { readCapture } from './capture/read.ts';
import { decodedJson, renderDecoded } from './describe.ts';
import { readInput, readKeys } from './input.ts';
import { breaksRequired, type Judging, judgeDecoded, recognizeSafely } from './judge-decoded.ts';
import { openRedactor, withoutSecrets } from './secrets.ts';

/** What a text turned out to be. */
type Opened = { readonly capture: Capture } | { readonly message: Recognized };

const unreadable = (why: string): CarrierspecError =>
  new CarrierspecError(`this cannot be decoded: ${why}`, { code: 'nothing-to-decode' });

function open(text: string): Opened {
  const capture = readCapture(text);
  if (capture !== undefined && 'why' in capture) throw unreadable(capture.why);
  if (capture !== undefined) return { capture };
  const message = recognizeSafely(text);
  if ('why' in message) throw unreadable(message.why);
  return { message };
}

/** What is printed of it, and whether it breaks a required rule. */
interface Shown {
  readonly breaks: boolean;
  readonly json: () => JsonObject;
  readonly lines: (page: Page) => readonly string[];
}

/** `now`: seconds since the epoch. */
function show(opened: Opened, judging: Judging, now: number): Shown {
  if ('capture' in opened) {
    const judged = judgeCapture(opened.capture, judging);
    return {
      breaks: judged.exchanges.some(exchangeBreaksRequired),
      json: () => captureJson(judged),
      lines: (page) => renderCapture(page, judged, now),
    };
  }
  const judged = judgeDecoded(opened.message, judging);
  const decoded = withoutSecrets(judged, openRedactor());
  return {
    breaks: breaksRequired(decoded),
    json: () => decodedJson(decoded),
    lines: (page) => renderDecoded(page, decoded, now),
  };
}

/** `carrierspec decode`: what a message is, what stands in it, and the rules it breaks. Gives 1 where it breaks a required one. */
export async function decodeCommand(flags: Given<typeof decodeDefinition>, invocation: Invocation): Promise<number> {
  const opened = open(await readInput(flags.message, invocation.stdin));
  const [suites, keys] = await Promise.all([
    readSuites(flags.suites),
    flags.jwks === undefined ? undefined : readKeys(flags.jwks),
  ]);
  const { breaks, json, lines } = show(opened, { suites, keys }, Math.floor(Date.now() / 1000));
  const text = flags.json ? forJson(json()) : lines(pageOf(invocation)).join('\n');
  invocation.stdout.write(`${text}\n`);
  return breaks ? exitCodes['not conformant'] : exitCodes.conformant;
}
