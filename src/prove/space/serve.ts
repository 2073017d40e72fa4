import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCarrier } from '../../carrier/create-carrier.ts';
import { freePort } from '../../setup/reference.ts';
import { type Choices, drawCarrier, writeDrawn } from './draw.ts';
import { readFreedoms } from './freedoms.ts';

/** A drawn carrier that runs, and the files in which it is described. */
export interface Served {
  readonly origin: string;
  readonly target: string;
  /** What the target file reads from the environment, as lines that a shell reads. */
  readonly env: string;
  readonly close: () => Promise<void>;
}

const variable = ([name, value]: readonly [string, string]): string => `${name}='${value}'`;

/** Starts a drawn carrier on a virtual clock; its target file with what it reads, registrations and choices go to `folder`. */
export async function serveDrawn(choices: Choices, folder: string): Promise<Served> {
  const ports = { public: await freePort(), admin: await freePort(), receiver: await freePort() };
  const drawn = drawCarrier(readFreedoms(), choices, ports);
  const target = writeDrawn(drawn, folder);
  const json = { 'registrations.json': drawn.options.registrations, 'choices.json': choices };
  for (const [name, value] of Object.entries(json)) {
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  }
  const env = join(folder, 'carrier.env');
  writeFileSync(env, `${Object.entries(drawn.env).map(variable).join('\n')}\n`);
  const carrier = await createCarrier({ ...drawn.options, clock: 'virtual' });
  return { origin: carrier.origin, target, env, close: () => carrier.close() };
}
