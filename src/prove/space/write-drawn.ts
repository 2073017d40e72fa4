import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DrawnCarrier } from './draw.ts';

/** Writes the target file of a drawn carrier, and the files that it names; returns its path. */
export function writeDrawn({ target, files }: DrawnCarrier, folder: string): string {
  for (const [path, text] of Object.entries({ ...files, 'carrier.yaml': target })) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, 'carrier.yaml');
}
