import { checkAgainstResult, type ResultFile, verifyCertificate } from '../../certificate/verify.ts';
import { type Flaw, isFlaw } from '../../certificate/compact.ts';
import { readResult } from '../../journal/read-result.ts';
import { readBytes } from '../../files/read.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { measureFile, readPublicKeys, renderCertificate } from '../certify/certificate.ts';
import type { verifyDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';

/** Reads a certificate; invalid UTF-8 becomes characters that no certificate contains. */
const readCertificate = (file: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(readBytes(file, 'certificate'));

function readSeenResult(file: string): ResultFile {
  const measured = measureFile(file);
  try {
    const { result } = readResult(file);
    return { ...measured, read: { result } };
  } catch (cause) {
    if (!(cause instanceof CarrierspecError)) throw cause;
    return { ...measured, read: { unreadable: cause.message } };
  }
}

function printFlaw({ code, message }: Flaw, file: string, { stdout }: Invocation): number {
  stdout.write(`NOT VALID: ${forTerminal(file)}\n  ${forTerminal(message)} [${code}]\n`);
  return exitCodes['not conformant'];
}

/** `carrierspec verify CERT [RESULT] --key PUBLIC`: returns 0 for a valid certificate, whatever its outcome, else 1. */
export async function verifyCommand(
  { file, result, key }: CommandInputs<typeof verifyDefinition>,
  invocation: Invocation,
): Promise<number> {
  const keys = await readPublicKeys(key);
  const verified = await verifyCertificate(readCertificate(file), keys, Date.now());
  if (isFlaw(verified)) return printFlaw(verified, file, invocation);
  const { manifest, kid, alg } = verified;
  const flaw = result === undefined ? undefined : checkAgainstResult(manifest, readSeenResult(result));
  if (flaw !== undefined) return printFlaw(flaw, result ?? file, invocation);
  const page = createTerminalPage(invocation);
  const beside =
    result === undefined
      ? 'No result was given, so no file was compared with the certificate.'
      : `${result} is, byte for byte, the result that was certified.`;
  const signed = `It was signed with the key ${kid} (${alg}) on ${manifest.certifiedAt}.`;
  const lines = renderCertificate(page, manifest, { first: 'Valid', beside: [signed, beside] });
  invocation.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.conformant;
}
