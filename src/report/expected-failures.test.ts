import { describe, expect, test } from 'vitest';
import { expectedEntry, renderOneReport, runNamedCases } from '../testing/results/ended-run.ts';

const ofBroken = [expectedEntry('rule', 'REQ-002')];
const stale = [expectedEntry('rule', 'REQ-001')];

describe('an expected failure', () => {
  test.each<[format: Parameters<typeof renderOneReport>[0], ...shown: readonly RegExp[]]>([
    [
      'junit',
      /<skipped>expected failure: signatures come later \(platform team, until 2999-12-31\)\n\nrule: REQ-002\n/,
      /\ncame back: HTTP 200 /,
    ],
    [
      'ctrf',
      /"status":"skipped","rawStatus":"fail".*"tags":\["REQ-002","expected-failure"\]/,
      /"trace":"expected failure: /,
    ],
    ['annotations', /^::notice file=[^\n]*title=REQ-002 \(broken\)::[^\n]*%0Aexpected failure: signatures come later/m],
    [
      'sarif',
      /"level":"error",.*"suppressions":\[\{"kind":"external","status":"accepted","justification":"expected failure: signatures come later/,
    ],
    [
      'markdown',
      /^# ⚠️ carrierspec: not conformant, as expected\n/,
      /^## Broken, as expected: 1 rule broken, 1 finding\n\n### `REQ-002`/m,
    ],
    [
      'html',
      /<h1><span class="word">Not conformant, as expected<\/span>/,
      /id="REQ-002" [^>]*data-standing="expected"><summary><h4><span class="v v-fail">fail<\/span> <span class="v v-expected">expected<\/span>/,
      /<strong>Expected:<\/strong> signatures come later <span class="quiet">platform team, until 2999-12-31;/,
    ],
    [
      'terminal',
      /^Expected failures {2}1 entry, 0 to delete\n(?:.*\n)* {2}known +expected failure: signatures come later/m,
      /\n1 broken rule, all expected \(expected\.yaml\): exit code 0\n$/,
    ],
  ])('is a state of its own: %s', async (format, ...shown) => {
    const text = await renderOneReport(format, await runNamedCases(['clean', 'broken'], { expected: ofBroken }));
    for (const form of shown) expect(text).toMatch(form);
    expect(text).not.toMatch(/^Failures/m);
  });

  test.each<[format: Parameters<typeof renderOneReport>[0], shown: RegExp]>([
    [
      'junit',
      /<testcase name="The entry for rule REQ-001 holds \(line 2\)"[^>]*>\s*<failure type="stale" message="expected.yaml:2:5: rule REQ-001 no longer fails; delete/,
    ],
    ['ctrf', /"name":"The entry for rule REQ-001 holds \(line 2\)","status":"failed"/],
    ['annotations', /^::error file=expected.yaml,line=2,col=5,title=rule REQ-001 no longer fails::/m],
    ['sarif', /"ruleId":"expected-failure-holds",.*expected\.yaml:2:5: rule REQ-001 no longer fails; delete/],
    ['markdown', /^- \*\*`expected.yaml:2:5`\*\*: rule `REQ-001`: `no longer fails`; delete/m],
    ['html', /<ul class="reasons"><li>expected.yaml:2:5: rule REQ-001 no longer fails; delete the entry/],
    ['terminal', /\n1 entry to delete \(expected\.yaml\): exit code 1\n$/],
  ])('that no longer fails says which entry to delete: %s', async (format, shown) => {
    expect(await renderOneReport(format, await runNamedCases(['clean'], { expected: stale }))).toMatch(shown);
  });
});
