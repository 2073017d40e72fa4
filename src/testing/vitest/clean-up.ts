import { afterAll } from 'vitest';
import { cleanUp } from '../program/target-file.ts';

// After each test file rather than in each test, so that a failed test leaves nothing behind either.
afterAll(cleanUp);
