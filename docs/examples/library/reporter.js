import { appendFileSync } from 'node:fs';

/**
 * Appends a line for each run to a log of runs. A function makes a reporter for a run; an object would do as well.
 *
 * @param {string} file
 * @returns {import('carrierspec').Reporter}
 */
export const logTo = (file) => {
  let finished = 0;
  return {
    event: (event) => {
      if (event.kind === 'case-finished') finished += 1;
    },
    result: ({ header, footer }) => {
      appendFileSync(file, `${header.startedAt} ${header.target.name}: ${finished} cases, ${footer?.outcome}\n`);
    },
  };
};

/** @type {import('carrierspec').ReporterModule} */
export default () => logTo('runs.log');
