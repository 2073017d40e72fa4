import { forJson } from '../../lib/json.ts';
import type { RecognizedMessage } from '../../interfaces/server-initiated/decode/recognize.ts';
import type { JsonObject } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Page } from '../../report/shared/layout.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { decodeDefinition } from '../definitions/desk.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { captureJson, decodedJson, renderCapture, renderDecoded } from './describe.ts';
import { readHar } from './har.ts';
import { type Capture, isHttpText, readHttpText } from './http-text.ts';
import { readInput, readKeys } from './input.ts';
import { exchangeBreaksRequired, judgeCapture } from './judge-capture.ts';
import {
  breaksRequired,
  judgeDecoded,
  type DecodeJudges,
  openRedactor,
  recognizeSafely,
  withoutSecrets,
} from './judge-decoded.ts';

type DecodeInput = { readonly capture: Capture } | { readonly message: RecognizedMessage };

/** Recognises a HAR, consecutive HTTP messages or a single message. */
function recognizeInput(text: string): DecodeInput {
  const capture = readHar(text) ?? (isHttpText(text) ? readHttpText(text) : undefined);
  const opened = capture ?? recognizeSafely(text);
  if ('why' in opened)
    throw new CarrierspecError(`this cannot be decoded: ${opened.why}`, { code: 'nothing-to-decode' });
  return 'exchanges' in opened ? { capture: opened } : { message: opened };
}

interface DecodeView {
  readonly breaks: boolean;
  readonly json: () => JsonObject;
  readonly lines: (page: Page) => readonly string[];
}

/** `now`: seconds since the epoch. */
function judgeInput(opened: DecodeInput, judging: DecodeJudges, now: number): DecodeView {
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

/** `carrierspec decode`: describes a message and the rules it breaks. Returns 1 if a required rule is broken. */
export async function decodeCommand(
  flags: CommandInputs<typeof decodeDefinition>,
  invocation: Invocation,
): Promise<number> {
  const opened = recognizeInput(await readInput(flags.message, invocation.stdin));
  const [suites, keys] = await Promise.all([
    readSuites(flags.suites),
    flags.jwks === undefined ? undefined : readKeys(flags.jwks),
  ]);
  const { breaks, json, lines } = judgeInput(opened, { suites, keys }, Math.floor(Date.now() / 1000));
  const text = flags.json ? forJson(json()) : lines(createTerminalPage(invocation)).join('\n');
  invocation.stdout.write(`${text}\n`);
  return breaks ? exitCodes['not conformant'] : exitCodes.conformant;
}
