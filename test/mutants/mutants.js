import access from './access.js';
import deliveries from './deliveries.js';
import platform from './platform.js';
import submissions from './submissions.js';

/**
 * Says how each rule is broken: `find`, which stands once in `file`, becomes `put`. `near` names the
 * tests that should notice: project, a part of their path, and perhaps words of their names.
 */
export const mutants = [...access, ...submissions, ...deliveries, ...platform];
