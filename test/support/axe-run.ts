/** Only what breaks a rule is collected: pages are long. */
const OPTIONS = "resultTypes: ['violations'], preload: false, selectors: false";

/** The expression that looks for what shuts somebody out, in a page that has axe. */
export const AXE_RUN = `axe.run(document, { ${OPTIONS} })`;
/** Does the same, and asks besides that what is pressed is large enough. */
export const AXE_RUN_TOUCHED = `axe.run(document, { ${OPTIONS}, rules: { 'target-size': { enabled: true } } })`;
