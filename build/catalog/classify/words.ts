import type { Category } from '../../../src/catalog/categories.ts'

/**
 * Words that speak for a category, by weight: 3 all but names the job, 2 speaks for it, 1 hints.
 * Words match by their stem, `a-b` is two words side by side, and a Chinese word matches anywhere.
 * What a skill does for its user decides, not the tools it uses; so file formats weigh little.
 */
export const CATEGORY_WORDS: Record<Category, Readonly<Partial<Record<1 | 2 | 3, string>>>> = {
  Coding: {
    3: `refactor debug codebase pull-request code-review linter typescript javascript kubernetes
      terraform docker webhook graphql monorepo eslint scaffold compiler unit-test test-driven
      github-actions mcp-server best-practices code-quality framework sdk react vue svelte angular
      expo nextjs nuxt django fastapi rails spring dotnet swiftui kotlin flutter android ios
      commit worktree prompt-engineering subagent agents-md smart-contract microservice
      pytest vitest jest type-check typecheck command-line system-design software-architecture
      game-engine unity firmware embedded-system solidity blockchain laravel electron tauri websocket
      stack-trace profiling refactoring code-generation codegen helm ansible pulumi skill-creator
      tool-design build-agent coding-agent programmer api-client npm-package ide webpack vite maven
      gradle bundler regex 代码 编程 开发 部署 コード 코드`,
    2: `code api cli repository git developer programming software testing deploy backend frontend
      server library package bug implement function component endpoint ci pipeline-yaml devops
      cloud aws azure vercel cloudflare rust golang java python node deno swift php ruby csharp
      net npm infrastructure observability tracing logging build plugin prompt llm copilot
      skill-md instructions mobile-app app migrate upgrade dependency concurrency async
      architecture pattern playwright shader hook mutation schema-design orm rollout
      bash shell test tests tdd release convex firebase supabase nix wasm hono bug-report
      developer-tool parser script legacy backend-service distributed hooks context-engineering
      benchmark-code serverless container registry protocol fpga driver daemon localization-file
      msbuild evaluate-agent llm-app agent-system tool-call sdks 接口 脚本 测试 テスト 実装`,
    1: `configure setup integrate project command runtime performance error application agent tool
      module type implementation web github environment production create-skill feature service`,
  },
  Communication: {
    3: `email inbox slack meeting newsletter-reply mailbox gmail outlook sms whatsapp telegram
      imessage minutes communications outreach-email briefing 邮件 邮箱 会议 群聊 消息 纪要
      notify notification push-notification discord sms-message customer-support support-ticket
      meeting-notes meeting-prep correspondence mailing difficult-conversation negotiation
      condolence メール 会議 이메일`,
    2: `message chat reply conversation call-notes attendee agenda transcript crm outreach inform
      feedback-conversation status-update status-report stakeholder-update teams-message tweet-post
      interview presenter announce broadcast resend deliverability teammate 通讯录 妙记 视频会议
      alert-team line-message call speech voice-call invite reply-draft relationship chatbot`,
    1: `team audience contact send talk thread discussion recipient post tweet`,
  },
  'Data & Analytics': {
    3: `sql warehouse dbt airflow dag dataset dataframe analytics etl bigquery snowflake postgres
      postgresql mysql clickhouse pandas polars spark dashboard kpi statistics statistical
      machine-learning regression forecasting time-series deep-learning neural-network pytorch
      scikit-learn fine-tune cohort-analysis ab ab-test power-bi dax tableau qdrant
      vector-database embedding lineage reinforcement-learning mongodb redis cosmos openlineage
      dagster warehouse-data timeseries data-science data-quality visualization matplotlib
      query-language stream-processing elasticsearch parquet jupyter notebook-analysis wandb
      data-model data-engineering bi exploratory usage-data cost-usage hypothesis-test
      llm-evaluation schema-migration database-migration seeding mlops feature-store
      anomaly-detection 数据库 查询 统计 データ`,
    2: `data database query table metric training model-training experiment-analysis chart plot
      csv tabular clustering classification bayesian transformer gradient tensor numpy schema
      column aggregation analyze-data index-tuning retention-curve sampling gpu hyperparameter
      geospatial simulation optimization-solver tracking-plan event-tracking semantic-search rag
      retrieval vector 数据 报表
      metrics ingest ingestion telemetry-data spreadsheet-analysis huggingface inference statistic
      correlation ranking rank-tracking`,
    1: `analysis pipeline trend measure report freshness parallel scale graph preprocess sample`,
  },
  Design: {
    3: `ui ux typography color palette visual illustration image video animation diagram slide
      brand figma mockup wireframe infographic design-system logo icon poster accessibility wcag
      cover-image comic image-generation music song font theme aesthetic sticker gif layout
      interface-design responsive mermaid-diagram excalidraw drawing svg photo typographic 设计 图片
      3d 3d-model animate cinematic storyboard screenplay-visual pixel pixel-art stable-diffusion
      text-image render-video visual-identity whiteboard user-interface wireflow interaction-design
      typeface gradient-background shader-art podcast-audio voice-over creative-coding デザイン アニメーション
      画像 配图 海报 插画 动画 视频 디자인`,
    2: `design render style art artistic creative-direction css visually beautiful slides pptx
      powerpoint deck presentation avatar aspect sprite figure canvas interface audio frontend-design
      look landing-visual thumbnail schematic motion stylish screen-reader contrast render-image
      ui-flow screen-flow camera pose drawio flowchart graphic styling looks ux-review usability`,
    1: `ratio portrait draw generate-image responsive-layout spacing mood scene`,
  },
  Planning: {
    3: `roadmap strategy strategic prd okr prioritize prioritization user-story user-stories
      backlog go-to-market gtm pricing launch sprint business-model stakeholder-map specification
      implementation-plan work-item acceptance-criteria requirement monetization swot hypothesis
      assumption lean-canvas value-proposition growth positioning churn referral milestone
      product-manager project-management marketing-idea business-case brainstorm breakdown premortem
      pre-mortem lead-magnet jira linear epic retrospective decision-record ideation porter
      ansoff pestle
      estimation estimating project-plan requirements-document cycle-time throughput
      project-completeness okr-review roadmap-planning work-breakdown go-no priorities strategist
      market-position business-plan fundraising pitch 规划 需求文档 战略 路线图 企画`,
    2: `plan planning product startup marketing marketing-strategy business opportunity risk
      initiative stage-gate estimate timeline task-breakdown saas onboarding-flow customer-acquisition
      campaign channel conversion offer packaging partner sales revops objective outcome scope
      scenario spec issue-tracker vision discovery pipeline-stage investment venture signup popup
      paywall upsell motion-type spike tradeoff compete decide decision goal
      requirement-gathering definition feasibility trade-off gap-analysis deliverable contingency
      idea-refine 计划`,
    1: `idea team market customer revenue segment funnel matrix framework-rice stakeholder impact
      experiment company`,
  },
  Productivity: {
    3: `calendar spreadsheet excel docx pdf word-document google-drive notion obsidian todo
      todo-list reminder note-taking bookmark find-skill install-skill browser-automation
      power-automate handoff onenote sharepoint airtable session-history file-organizer downloads
      xlsx task-list markitdown to-markdown memory attendance invoice receipt timesheet zapier n8n
      文档 表格 日历 任务 考勤 知识库 云空间 审批
      calendar-event google-docs google-sheet onboarding-checklist reading-list recipe meal travel
      trip itinerary booking tax expense receipt-scan bill household shopping file-search clipboard
      subtitle transcription handoff-document email-free bookmark-manager workspace-admin メモ 予定 表計算
      笔记 日程`,
    2: `document file convert workspace automate automation workflow organize folder drive office
      merge-pdf template-fill note browser screenshot scrape install-skills discover-skill remember
      context-window productivity compress personal vault desktop canvas-file docs artifact session
      task form-fill daily archive canvas awesome-copilot markdown skill-discovery schedule epub
      resume-session 打卡 待办
      office-document fetch-url url-markdown desktop-automation personal-assistant
      inbox-zero budget reminder-list save-progress state-save gws docs-sheet meal-plan menu family
      order inventory`,
    1: `search list manage read export format extract suggest personal-use template`,
  },
  Research: {
    3: `literature scientific biology protein molecule molecular genomic gene drug clinical
      chemistry pubmed arxiv citation bioinformatics rna dna cell medical patient persona
      competitor competitive customer-research user-research market-research market-sizing
      fact-check peer-review systematic-review sequencing proteomics spectrometry materials-science
      quantum astronomy physics neuroscience neural-recording icp ideal-customer web-search
      investigate-topic deep-research disease cancer trial compound biomedical crystal patent
      journey-map interview-insights scholarly evidence
      web-research fact-checking current-event state-art benchmark-discovery autoresearch
      literature-search research-question investigation scientist-agent history-case symptom
      health-condition ecology epidemiology journalism 研究 文献 论文检索 調査 竞品`,
    2: `research paper study journal academic survey interviews-analysis hypothesis-generation
      lab experiment-protocol variant species expression pathway lookup source-evaluation synthesis
      investigate explore-topic find-information financial-filings sec-filings economic ontology
      simulation-molecular health fda chembl uniprot assay imaging pathology concept book insight
      fact tam sentiment learner learn
      find-source look-up search-web explain-concept learn-topic experiment
      investigation-topic archaeology historical psychology 学习 概念`,
    1: `science scientist database-search web knowledge review-literature profile analysis
      information wikipedia`,
  },
  Security: {
    3: `security vulnerability threat exploit malware penetration-test pentest owasp sast dast
      cve forensics authentication oauth auth0 sso mfa passkey authorization gdpr hipaa pci
      compliance privacy supply-chain secret-scan secrets-management attack stride red-team
      reverse-engineering zero-trust hardening encryption mtls jwt prompt-injection soc2 rbac
      sbom login codeql
      ransomware threat-hunting lateral-movement mitre siem soc phishing intrusion breach
      privilege-escalation exfiltration scam honeypot taint pentesting cwe nist iso-27001
      security-rules security-audit cryptography cybersecurity infosec yara sigma 漏洞 安全 渗透 セキュリティ
      脆弱性 보안`,
    2: `secure auth secret credential audit-security permission policy risk-assessment safety
      sandbox scan token identity injection governance incident-response privilege certificate
      binary-analysis firewall malicious tls keycloak trust
      hunting hunt detection adversary triage-finding backdoor sensitive spoofing evasion risky-code
      waf immutable-backup`,
    1: `audit access protect user-session review safe`,
  },
  Writing: {
    3: `write-blog blog article copywriting seo prose editing proofread grammar translate
      translation essay humanize newsletter ghostwrite content-writing social-post linkedin-post
      headline tone readme changelog release-notes documentation manuscript grant cover-letter
      resume storytelling technical-writing copy-editing press-release copywriter postmortem
      ad-creative contract legal nda social-media docstring privacy-policy tutorial writing
      technical-writer publication
      rewrite-text ai-writing humanise fiction novel poem poetry speechwriting outline-article
      paper-outline latex journalism-article ghost-writing brand-voice tone-style
      technical-documentation write-story 写作 文案 翻译 文章 公众号 執筆 翻訳`,
    2: `write writer draft copy content editor rewrite publish wording style-guide document-writing
      tone-of-voice social linkedin post proposal report-writing narrative narrative-arc audience
      documents-prose caption script-writing markdown-writing localization language comment-docs
      letter documentation-site doc naming tweet-thread diataxis
      docs-update story-write manuscript-edit voice lyric caption-post editorial author
      novel-chapter essay-draft`,
    1: `text words read clarity story topic summary style reader paragraph`,
  },
}
