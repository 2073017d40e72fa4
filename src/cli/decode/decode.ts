import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import type { decodeDefinition } from './define.ts';
import { readInput, readKeys } from './input.ts';
import type { Recognized } from '../../judge/decode/recognize.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forJson } from '../../report/sanitize.ts';
import { readSuites } from '../../setup/read.ts';
import { judgeDecoded, recognizeSafely } from './judge.ts';
import { type Decoded, decodedJson, renderDecoded } from './describe.ts';

function requireReadable(text: string): Recognized {
  const found = recognizeSafely(text);
  if (!('why' in found)) return found;
  const message = `this cannot be decoded: ${found.why}`;
  throw new CarrierspecError(message, { code: 'nothing-to-decode' });
}

const breaksRequired = ({ findings, signature, inside }: Decoded): boolean =>
  findings.some(({ level }) => level === 'required') ||
  signature?.verified === false ||
  inside.some(({ decoded }) => breaksRequired(decoded));

/** `carrierspec decode`: what a message is, what stands in it, and the rules it breaks. Gives 1 where it breaks a required one. */
export async function decodeCommand(flags: Given<typeof decodeDefinition>, invocation: Invocation): Promise<number> {
  const { stdout } = invocation;
  const found = requireReadable(await readInput(flags.message, invocation.stdin));
  const [suites, keys] = await Promise.all([
    readSuites(flags.suites),
    flags.jwks === undefined ? undefined : readKeys(flags.jwks),
  ]);
  const decoded = judgeDecoded(found, { suites, keys });
  const text = flags.json
    ? forJson(decodedJson(decoded))
    : renderDecoded(pageOf(invocation), decoded, Math.floor(Date.now() / 1000)).join('\n');
  stdout.write(`${text}\n`);
  return breaksRequired(decoded) ? exitCodes['not conformant'] : exitCodes.conformant;
}
