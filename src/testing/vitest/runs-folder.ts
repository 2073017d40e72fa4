import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of runs that test files share. */
    readonly runs: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-runs-'));

export function setup(project: TestProject): void {
  project.provide('runs', folder);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
