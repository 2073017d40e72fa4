import { defineConfig } from 'vitest/config';
import process from 'node:process';
import { LongestFirst } from './src/testing/vitest/longest-first.ts';
import { notRunReporter } from './src/testing/vitest/not-run-reporter.ts';
import { slowestReporter } from './src/testing/vitest/slowest-reporter.ts';

/** Tests of the built program and library. */
const cli = ['src/cli/**/*.test.ts', 'src/api/**/*.test.ts', 'src/lab/commands/**/*.test.ts'];
const browser = 'src/**/*.browser.test.ts';
/** Tests that need packages which `npm ci` does not install; `npm run extra` installs them. */
const extra = 'src/**/*.extra.test.ts';
/** Tests that take minutes on both cores: a stage of their own in .ci/run. */
const proof = 'src/**/*.prove.test.ts';
/** Tests that take long and add little to a commit: .github/workflows/nightly.yml runs them every night. */
const nightly = 'src/**/*.nightly.test.ts';
/** Verdicts of whole runs compared with fixtures/golden: a stage of their own in .ci/run. */
const golden = 'src/**/*.golden.test.ts';
/** Tests of carriers drawn by the date: every night. */
const space = 'src/**/*.space.test.ts';
/** Hostile traffic for minutes or hours. Run by hand, never in .ci/run. */
const soak = 'src/**/*.soak.test.ts';
/** Tests that `npm test` leaves out. */
const stages = [extra, proof, nightly, golden, space, soak];

/** File for the test counts as JSON. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    reporters: ['default', slowestReporter, notRunReporter, ...(report === undefined ? [] : ['json'])],
    outputFile: report === undefined ? {} : { json: report },
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    setupFiles: ['src/testing/vitest/clean-up.ts'],
    server: { deps: { external: [/\/dist\/bundle\//] } },
    // Some files wait in real time, so a third worker keeps both cores busy.
    maxWorkers: 3,
    projects: [
      // The CLI and its embedded carrier: only these tests need dist.
      {
        extends: true,
        test: {
          name: 'cli',
          isolate: false,
          include: cli,
          exclude: [browser, ...stages],
          globalSetup: ['src/testing/vitest/build.ts'],
        },
      },
      // These tests share no state, so each worker loads the modules once, which halves the time.
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['src/**/*.test.ts'],
          exclude: [...cli, browser, ...stages],
        },
      },
      // The HTML report in Chromium.
      { extends: true, test: { name: 'browser', isolate: false, include: [browser] } },
      { extends: true, test: { name: 'extra', include: [extra], globalSetup: ['src/testing/vitest/build.ts'] } },
      // These start whole runs, so two of them keep both cores busy.
      {
        extends: true,
        test: {
          name: 'nightly',
          include: [nightly],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          globalSetup: ['src/testing/vitest/build.ts', 'src/testing/vitest/runs-folder.ts'],
        },
      },
      // The whole matrix has its own threads, so at most one other file runs beside it.
      {
        extends: true,
        test: {
          name: 'prove',
          include: [proof],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          globalSetup: ['src/testing/vitest/build.ts', 'src/testing/vitest/runs-folder.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'golden',
          include: [golden],
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          globalSetup: ['src/testing/vitest/build.ts', 'src/testing/vitest/runs-folder.ts'],
        },
      },
      { extends: true, test: { name: 'space', include: [space], globalSetup: ['src/testing/vitest/build.ts'] } },
      // One file at a time, because they measure memory and time.
      {
        extends: true,
        test: { name: 'soak', include: [soak], fileParallelism: false, globalSetup: ['src/testing/vitest/build.ts'] },
      },
    ],
  },
});
