import { robustnessFaults } from './robustness.ts';
import { proveFaults } from './testing/probes.ts';
import { callRows } from './testing/robustness.ts';
import { readingRows } from './testing/robustness-reading.ts';

proveFaults(robustnessFaults, { ...callRows, ...readingRows });
