import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReference } from '../dist/setup/reference.js';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
export const bin = join(root, 'bin', 'carrierspec.js');

/** A folder that is removed when `use` has ended. */
export async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the reference carrier without its limit of pending requests per user, because both loops leave thousands behind. */
export async function startUnlimited() {
  const reference = await startReference([]);
  const answer = await fetch(`${reference.env.REFERENCE_ADMIN}/policy`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ maxPending: 1_000_000 }),
  });
  if (!answer.ok) throw new Error(`the reference carrier kept its limit: HTTP ${answer.status}`);
  return reference;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lines of a table: first column left-aligned, others right-aligned. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows.map((row) =>
    row.map((cell, column) => String(cell)[column === 0 ? 'padEnd' : 'padStart'](widths[column])).join('   '),
  );
}
