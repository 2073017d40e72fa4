import { defineConfig } from 'vitest/config';

const cli = 'src/cli/**/*.test.ts';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    projects: [
      // The CLI is tested as a process of its own: only these tests need dist.
      { extends: true, test: { name: 'cli', include: [cli], globalSetup: ['src/testing/build.ts'] } },
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: [cli] } },
    ],
  },
});
