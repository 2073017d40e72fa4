import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { groundOf } from '../../explore/exploration.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { packageFile } from '../../lib/package-file.ts';
import { readSuites } from '../../setup/read.ts';
import { inPlace } from '../place.ts';

const folder = mkdtempSync(join(tmpdir(), 'abilities-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The listed cases by which the exploration tells what a target has, as its source names them. */
const exploration = fileURLToPath(packageFile('src/interfaces/server-initiated/exploration'));
const named = (readdirSync(exploration, { recursive: true, encoding: 'utf8' }) as string[])
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [...readFileSync(join(exploration, name), 'utf8').matchAll(/\bruns\('([^']+)'\)/g)])
  .map(([, id]) => id ?? '');

const running = await inPlace(folder, async (place) => {
  const { target } = place.prepare(undefined);
  return groundOf({ suites: await readSuites([]), written: [], target }, serverInitiated).runs;
});

test.each([...new Set(named)])('the reference carrier has what %s needs', (id) => {
  expect(running(id)).toBe(true);
});

test('a case that nobody has listed does not run', () => {
  expect([running('no-such-case'), named.length > 5]).toEqual([false, true]);
});
