import type { Drawn } from '../../prove/space/judge-drawn.ts';
import { serveDrawn } from '../../prove/space/serve.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { exitCodes } from '../exit-codes.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, listenForSignal } from '../shared/invocation.ts';

/** Writes the target file of a drawn carrier with what it reads, and runs the carrier until Ctrl-C. */
export async function showCarrier({ number, choices }: Drawn, folder: string, invocation: Invocation): Promise<number> {
  const stopped = listenForSignal(invocation);
  makeFolder(folder, '--show');
  const { origin, target, env, close } = await serveDrawn(choices, folder);
  const lines = [
    `Carrier ${number} with ${Object.keys(choices).length} choices of its own is at ${origin} until Ctrl-C. Run:`,
    `  (set -a; . ${env}; carrierspec run --target ${target})`,
  ];
  invocation.stdout.write(`${lines.map((line) => forTerminal(line)).join('\n')}\n`);
  await new Promise<void>((resolve) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener('abort', () => resolve(), { once: true });
  });
  await close();
  return exitCodes.conformant;
}
