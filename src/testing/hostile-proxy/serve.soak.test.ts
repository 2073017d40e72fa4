import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { startHostileCarrier } from './hostile-carrier.ts';
test('serve', async () => {
  const carrier = await startHostileCarrier();
  const mode = process.env['HOSTILE'];
  carrier.proxy.misbehave(mode === 'none' ? undefined : mode);
  writeFileSync(
    '/tmp/hostile.env',
    Object.entries(carrier.env)
      .map(([k, v]) => `export ${k}='${v}'`)
      .join('\n'),
  );
  await new Promise((r) => setTimeout(r, 3_000_000));
}, 4_000_000);
