import type { Result } from '../../model/result.ts';
import { buildCase, buildDelivery, buildExchange, buildFinding, buildResult, startOfRun } from './result.ts';
import { sampleResult } from './sample-result.ts';

const messages = [
  buildExchange({ id: 'spaced#x1', step: 'change', sentAt: startOfRun, receivedAt: startOfRun + 12 }),
  ...[0, 60, 150].map((second, index) =>
    buildDelivery({ id: `spaced#d${index + 1}`, step: 'events', receivedAt: startOfRun + second * 1000 }),
  ),
];

/** A case whose deliveries came at the wrong times. */
export const spacedCase = buildCase({
  id: 'spaced',
  title: 'An event is sent a minute apart',
  verdict: 'fail',
  messages,
  findings: [
    buildFinding({
      code: 'spacing',
      step: 'events',
      message: 'spaced#d3',
      path: 'deliveries.2',
      expected: '60 s, at most 5 s early and 15 s late',
      window: { from: 55, to: 75 },
      actual: 90,
    }),
  ],
});

/** Everything that the HTML report can show. */
export const completeSample: Result = buildResult({ ...sampleResult, cases: [...sampleResult.cases, spacedCase] });
