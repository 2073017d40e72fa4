import { defineConfig } from 'vitest/config';
import process from 'node:process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { notRunReporter } from './src/testing/vitest/not-run-reporter.ts';

/** The program and the library as they are built. */
const cli = ['src/cli/**/*.test.ts', 'src/api/**/*.test.ts'];
const browser = 'src/**/*.browser.test.ts';
/** What needs packages that `npm ci` does not install: `npm run extra` installs them. */
const extra = 'src/**/*.extra.test.ts';
/** Takes minutes and both cores: a stage of its own in .ci/run. */
const proof = 'src/**/*.prove.test.ts';
/** What whole runs decide, against fixtures/golden: by hand, before and after a change that must decide nothing else. */
const golden = 'src/**/*.golden.test.ts';
/** Carriers drawn by the date, for the same reason. */
const space = 'src/**/*.space.test.ts';
/** Hostile traffic for minutes and hours: by hand, and never in .ci/run. */
const soak = 'src/**/*.soak.test.ts';

/** Test files that take longest, in this order. Begun last, one of them would run alone with one core idle. */
const longest = [
  'cli/prove/whole.prove',
  'testing/carriers/foreign-carrier.prove',
  'cli/prove/prove.prove',
  'cli/run/live-whole.prove',
  'cli/certify/certification-whole.prove',
  'prove/order.prove',
  'cli/prove/warnings.prove',
  'cli/shipped/same-result.prove',
  'cli/run/real-time',
  'cli/explore/explore',
  'cli/run/resume',
  'cli/shipped/ci',
  'cli/process',
  'cli/send/endpoints',
  'api/package',
  'cli/exit-codes',
  'engine/measure/measure',
  'cli/run/hostile',
  'cli/usage',
  'cli/send/send',
  'cli/run/critical',
  'cli/run/earlier-run',
  'cli/send/send-help',
  'cli/run/full-disk',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => moduleId.endsWith(`/src/${name}.test.ts`));
      return found < 0 ? longest.length : found;
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** A file for the counts as JSON, beside what is printed. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    reporters: ['default', notRunReporter, ...(report === undefined ? [] : ['json'])],
    outputFile: report === undefined ? {} : { json: report },
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    setupFiles: ['src/testing/vitest/clean-up.ts'],
    server: { deps: { external: [/\/dist\/bundle\//] } },
    // Some files wait in real time: with a third one beside them both cores have work.
    maxWorkers: 3,
    projects: [
      // Processes of the CLI, and the thread of its embedded carrier: only these tests need dist.
      {
        extends: true,
        test: {
          name: 'cli',
          isolate: false,
          include: cli,
          exclude: [browser, extra, proof, golden, space, soak],
          globalSetup: ['src/testing/vitest/build.ts'],
        },
      },
      // Pure functions and sockets of their own: the modules are loaded once a worker, which halves the time.
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['src/**/*.test.ts'],
          exclude: [...cli, browser, extra, proof, golden, space, soak],
        },
      },
      // The HTML report in a real Chromium.
      { extends: true, test: { name: 'browser', isolate: false, include: [browser] } },
      { extends: true, test: { name: 'extra', include: [extra], globalSetup: ['src/testing/vitest/build.ts'] } },
      // The whole matrix has threads of its own: one file at a time beside it.
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
          globalSetup: ['src/testing/vitest/build.ts', 'src/testing/vitest/runs-folder.ts'],
        },
      },
      { extends: true, test: { name: 'space', include: [space], globalSetup: ['src/testing/vitest/build.ts'] } },
      // One at a time: what is measured is memory and time.
      {
        extends: true,
        test: { name: 'soak', include: [soak], fileParallelism: false, globalSetup: ['src/testing/vitest/build.ts'] },
      },
    ],
  },
});
