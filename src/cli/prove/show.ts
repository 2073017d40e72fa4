import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCarrier } from '../../carrier/create-carrier.ts';
import { drawCarrier } from '../../prove/space/draw.ts';
import { readFreedoms } from '../../prove/space/freedoms.ts';
import type { Drawn } from '../../prove/space/prove-space.ts';
import { writeDrawn } from '../../prove/space/write-drawn.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { freePort } from '../../setup/reference.ts';
import { exitCodes } from '../exit-codes.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, listenForSignal } from '../shared/invocation.ts';

const variable = ([name, value]: readonly [string, string]): string => `${name}='${value}'`;

/** Writes the target file of a drawn carrier with what it reads, and runs the carrier on a virtual clock until Ctrl-C. */
export async function showCarrier({ number, choices }: Drawn, folder: string, invocation: Invocation): Promise<number> {
  const stopped = listenForSignal(invocation);
  makeFolder(folder, '--show');
  const ports = { public: await freePort(), admin: await freePort(), receiver: await freePort() };
  const drawn = drawCarrier(readFreedoms(), choices, ports);
  const file = writeDrawn(drawn, folder);
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  write('registrations.json', drawn.options.registrations);
  write('choices.json', choices);
  const env = Object.entries(drawn.env).map(variable);
  writeFileSync(join(folder, 'carrier.env'), `${env.join('\n')}\n`);
  const carrier = await createCarrier({ ...drawn.options, clock: 'virtual' });
  const lines = [
    `Carrier ${number} with ${Object.keys(choices).length} choices of its own is at ${carrier.origin} until Ctrl-C. Run:`,
    `  (set -a; . ${join(folder, 'carrier.env')}; carrierspec run --target ${file})`,
  ];
  invocation.stdout.write(`${lines.map((line) => forTerminal(line)).join('\n')}\n`);
  await new Promise<void>((resolve) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener('abort', () => resolve(), { once: true });
  });
  await carrier.close();
  return exitCodes.conformant;
}
