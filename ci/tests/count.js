// node ci/tests/count.js REPORT.json...: prints each failed test of vitest's reports with its first lines, and as the last line
// "N passed, N failed". A test file that cannot be loaded counts as one failed test. `--issue` prints Markdown for an issue instead.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

const isIssue = process.argv.includes('--issue');
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** Characters of an issue for failures; GitHub takes 65,536. */
const issueRoom = 50_000;

/** Failures of one test file: those of its tests, or that it was not loaded. */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ file: name, test: test.fullName, said: test.failureMessages.join('\n') }));
  return status === 'failed' && failed.length === 0 ? [{ file: name, test: 'not loaded', said: message ?? '' }] : failed;
}

function readReport(file) {
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failures: testResults.flatMap(failuresOf) };
  } catch (error) {
    return { passed: 0, failures: [{ file, test: 'no test counts', said: error.message }] };
  }
}

const firstLines = (said) => stripVTControlCharacters(said).split('\n').slice(0, 12);

function renderLog({ file, test, said }) {
  return [`\nFAILED ${relative('.', file)} > ${test}`, ...firstLines(said)].join('\n    ').slice(0, 2000);
}

function renderItem({ file, test, said }) {
  const text = firstLines(said).join('\n').replaceAll('```', "'''").slice(0, 2000);
  return `### ${test}\n\n\`${relative('.', file)}\`\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}

const reports = files.map(readReport);
const failures = reports.flatMap((report) => report.failures);
const passed = reports.reduce((sum, report) => sum + report.passed, 0);
const counts = `${passed} passed, ${failures.length} failed`;
if (isIssue) {
  const items = failures.map(renderItem).join('\n');
  const cut = items.length > issueRoom ? '\n(more in the log)' : '';
  console.log(`${counts}\n\n${items.slice(0, issueRoom)}${cut}`);
} else {
  for (const failure of failures) console.log(renderLog(failure));
  console.log(counts);
}
