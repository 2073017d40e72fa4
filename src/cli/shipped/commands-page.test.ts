import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../testing/spawn-cli.ts';
import { runDefinition } from '../definitions/certify.ts';
import { commands } from '../main.ts';

const page = readFileSync(join(root, 'docs/commands.md'), 'utf8');

describe('docs/commands.md', () => {
  test.each(commands.map(({ definition }) => [definition.name, definition] as const))('has %s', (name, { args }) => {
    const words = ['carrierspec', name, ...Object.values(args).map(({ spec }) => spec)].join(' ');
    expect(page).toContain(`\`${words}\``);
  });

  test('has every flag of run in its table, and no other', () => {
    const [, table = ''] = /`carrierspec run` takes:\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
    // Help and table have the letters of the common flags.
    const rows = [...table.matchAll(/^\| `(?:-\w, )?(-[^`]+)` \|/gm)].map(([, spec = '']) => spec);
    expect(rows.toSorted()).toEqual(
      Object.values(runDefinition.flags)
        .map(({ spec }) => spec)
        .toSorted(),
    );
  });
});
