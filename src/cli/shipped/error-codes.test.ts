import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { errorCodes } from '../../model/error-codes.ts';
import { root } from '../../testing/spawn-cli.ts';
import { exitCodeOfStop } from '../exit-codes.ts';

const page = join(root, 'docs/error-codes.md');

function renderPage(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { kind, doc }]) => `| \`${code}\` | ${kind} | ${exitCodeOfStop(kind)} | ${doc} |`,
  );
  return `# Error codes

What ends \`carrierspec\` before there is a verdict: a mistake of the caller, a carrier or receiver out of reach, or an interruption.
Who uses carrierspec as a library reads \`code\` and \`kind\` of a \`CarrierspecError\`. This page is generated from \`src/model/error-codes.ts\`
(\`WRITE_DOCS=1 npx vitest run --project cli src/cli/shipped/error-codes.test.ts\`).

| code | kind | exit code | when |
|---|---|---|---|
${rows.join('\n')}
`;
}

test('docs/error-codes.md has every code, with its exit code', () => {
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(page, renderPage());
  expect(readFileSync(page, 'utf8')).toBe(renderPage());
});

test('every code of the table is used', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^testing\b|error-codes\.ts$/.test(name),
  );
  const source = files.map((name) => readFileSync(join(root, 'src', name), 'utf8')).join('\n');
  const unused = Object.keys(errorCodes).filter((code) => !source.includes(`'${code}'`));
  expect(unused).toEqual([]);
});
