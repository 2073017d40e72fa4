import { runBare } from './bare.js';
import { median, table, withFolder } from './ground.js';
import { prepareRunner } from './runner.js';

const concurrency = 16;
/** Enough exchanges for both loops and their modules to be compiled. */
const warmUp = 500;

const perSecond = (count, seconds) => count / seconds;

function rowsOf(runner, bare) {
  const lines = {
    'runner, exchanges and deliveries /s': runner.map((one) => perSecond(one.exchanges + one.deliveries, one.seconds)),
    'runner, exchanges alone /s': runner.map((one) => perSecond(one.exchanges, one.seconds)),
    'bare loop, exchanges /s': bare.map((one) => perSecond(one.exchanges, one.seconds)),
  };
  const rows = Object.entries(lines).map(([name, values]) => [
    name,
    ...[...values, median(values)].map((value) => Math.round(value)),
  ]);
  const [messages, exchanges, loop] = Object.values(lines).map(median);
  return {
    rows: [['', ...runner.map((_, at) => `run ${at + 1}`), 'median'], ...rows],
    ratios: { messages: messages / loop, exchanges: exchanges / loop },
  };
}

/** Exchanges per second of the runner and of a bare loop, in turns, each against a fresh reference carrier. */
export async function rate({ cases, repeats, print }) {
  const runner = [];
  const bare = [];
  await withFolder(async (folder) => (await prepareRunner(folder, warmUp, concurrency))(0));
  await runBare(warmUp, concurrency);
  await withFolder(async (folder) => {
    const measure = await prepareRunner(folder, cases, concurrency);
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      runner.push(await measure(repeat));
      bare.push(await runBare(cases, concurrency));
    }
  });
  const { rows, ratios } = rowsOf(runner, bare);
  const [{ deliveries }] = runner;
  const [{ bytes }] = bare;
  print(`\nrate: ${cases} accepted requests of ${bytes} bytes, RS256, ${concurrency} at a time, virtual clock`);
  print(`the runner also takes and judges ${deliveries} callbacks in that time`);
  for (const line of table(rows)) print(line);
  print(
    `runner : bare loop = ${ratios.messages.toFixed(2)} with deliveries, ${ratios.exchanges.toFixed(2)} exchanges alone`,
  );
}
