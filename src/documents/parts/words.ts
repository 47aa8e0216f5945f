/** Verbs that tell an assistant or a program what to make or do, split by `|`, as an expression has them. */
export const VERBS =
  'access|ask|add|adapt|adjust|aggregate|align|analy[sz]e|annotate|answer|apply|approve|assemble|assess|assign|attach|audit|author|automate|benchmark|bootstrap|brainstorm|break|build|calculate|call|capture|catalog|categori[sz]e|check|choose|clarify|classify|clean|clone|close|collect|combine|commit|compare|compile|complete|compose|compress|compute|conduct|configure|confirm|connect|consider|consolidate|construct|convert|coordinate|copy|craft|crawl|create|cross-reference|curate|debug|decide|decompose|define|delegate|deliver|deploy|derive|describe|design|detect|determine|develop|diagnose|discover|dispatch|display|distill|divide|document|download|draft|edit|elicit|embed|emit|enable|enhance|enrich|ensure|enumerate|establish|estimate|evaluate|examine|exercise|escalate|execute|expand|explain|explore|export|extend|extract|fetch|fill|filter|finali[sz]e|find|fix|follow|forecast|format|gather|generate|get|group|guide|handle|identify|implement|import|improve|index|infer|initiali[sz]e|inspect|install|instrument|integrate|interpret|interview|inventory|investigate|invoke|iterate|label|launch|lint|list|load|locate|log|look|maintain|make|manage|map|mark|measure|merge|migrate|mock|model|modify|monitor|move|navigate|negotiate|normali[sz]e|offer|open|optimi[sz]e|orchestrate|organi[sz]e|outline|output|package|parse|perform|pick|plan|plot|polish|post|predict|prepare|present|print|prioriti[sz]e|process|produce|probe|prove|profile|prompt|propose|prototype|provide|publish|pull|push|query|rank|read|recommend|reconcile|record|reduce|refactor|refine|register|release|remove|rename|render|replace|reply|report|reproduce|request|research|reset|resolve|respond|restore|restructure|retrieve|return|review|revise|rewrite|run|sanity-check|save|scaffold|scan|schedule|scope|score|search|segment|select|send|set|set up|share|ship|show|simplify|simulate|smoke-test|sketch|sort|specify|split|spawn|stage|standardi[sz]e|start|store|structure|submit|suggest|summari[sz]e|survey|sync|synthesi[sz]e|tag|tailor|take|test|trace|track|train|transcribe|transform|translate|triage|turn|understand|update|upgrade|upload|use|validate|verify|visuali[sz]e|wait|walk|wire|wrap|write|assist|bridge|control|cover|enforce|give|help|include|let|route|streamline|support|teach|containerize|customize|grow|protect|scrape|secure|troubleshoot|externalize|allow|contain|feature|focus|specialize'

/** Verbs that are names of things as well: `test coverage report`. */
export const NOUN_VERBS =
  'access|answer|approach|audit|author|benchmark|break|build|call|catalog|check|clone|commit|copy|crawl|design|dispatch|display|document|draft|edit|estimate|exercise|export|extract|filter|fix|forecast|format|group|guide|import|index|interview|inventory|label|launch|list|load|log|look|map|mark|measure|merge|mock|model|monitor|move|offer|outline|output|package|pick|plan|plot|polish|post|probe|process|profile|prompt|prototype|publish|pull|push|query|rank|record|release|report|request|research|return|review|run|sample|scan|schedule|scope|score|search|segment|set|share|show|sketch|sort|split|stage|start|store|structure|support|survey|sync|tag|test|trace|track|train|transform|turn|update|upgrade|upload|use|walk'

/** A heading or an item that begins with what is to be done. */
export const IS_ORDER = new RegExp(`^(?:${VERBS})(?=[\\s/&,.]|$)`, 'i')

/** What one of them becomes behind `It`: `applies`, `sets up`. */
const toThird = (verb: string): string =>
  verb.replace(/^\S+/, (word) =>
    /[^aeiou]y$/.test(word)
      ? `${word.slice(0, -1)}ies`
      : word + (/(?:[sxz]|[cs]h)$/.test(word) ? 'es' : 's'),
  )

const THIRD = VERBS.split('|').map(toThird).join('|')

/** How a text begins that says what a skill does: `Creates …`, `This skill helps …`, `Expert guidance for …`. */
export const STARTS_WITH_ACTION = new RegExp(
  String.raw`^(?:(?:this (?:[\w-]+ )?|the )(?:skill|guide|agent|command|workflow|plugin|toolkit|package)s?(?: \([^)]*\))? (?:also )?(?:\w+ly )?(?:${THIRD}|help|provide|cover|will|can|does|is (?:a|an|the|your))\b|(?:${THIRD}) (?!(?:are|is|were|have|has|must|should|can|cannot|that|which|of)\b)\S|(?:an? |the )?(?:[\w/-]+[ ,]+(?:and )?){0,4}(?:skill|guide|guidance|guidelines|patterns|toolkit|techniques|strategies|practices|collection|playbook|library|suite|assistant|interface|automation|support|access|integration|generator|analysis|workflow|workflows|instructions|conventions|expertise|reference) (?:for|to|of|on|covering|that|with|across)\b|help \w)`,
  'i',
)

/** How an item or a sentence begins that is a rule for an assistant, and no limit of what it can do. */
export const IS_RULE =
  /^\W*(?:[\p{L} ]{3,30}:\*{0,2} )?(?:(?:you|agents?|the agent|claude) (?:must|should|may)|must|never|always|do not|don['’]t|avoid|ensure|make sure|keep|stay|prefer|be (?:sure|careful)|only (?:use|ask|make|write|edit|run|if|when)|respect|follow|remember|no (?!support)|use |禁止|必须|不要|严禁|切勿|始终|請|请)/iu
