import { defineConfig } from 'vitest/config';

const cli = 'src/cli/**/*.test.ts';
const browser = 'src/**/*.browser.test.ts';
/** Takes minutes and both cores: a stage of its own in .ci/run. */
const proof = 'src/**/*.prove.test.ts';
/** Carriers drawn by the date, for the same reason. */
const space = 'src/**/*.space.test.ts';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      // The CLI is tested as a process of its own: only these tests need dist.
      {
        extends: true,
        test: { name: 'cli', include: [cli], exclude: [proof, space], globalSetup: ['src/testing/build.ts'] },
      },
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: [cli, browser, proof, space] } },
      // The HTML report in a real Chromium; where there is none, its one test says so.
      { extends: true, test: { name: 'browser', include: [browser] } },
      { extends: true, test: { name: 'prove', include: [proof], globalSetup: ['src/testing/build.ts'] } },
      { extends: true, test: { name: 'space', include: [space], globalSetup: ['src/testing/build.ts'] } },
    ],
  },
});
